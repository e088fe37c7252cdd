//! Arithmetic modulo primes just below 2^62.
//!
//! p = 2^62 - delta with delta < 2^22 makes reduction cheap: 2^62 is delta modulo p. Every p is 1 modulo 4096, so
//! X^n + 1 has all its zeros modulo p for n up to 2048.

/// p and a root of unity.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prime {
    /// p.
    pub(super) p: u64,
    /// 2^62 - p.
    pub(super) delta: u64,
    /// An element of order exactly 4096.
    root: u64,
}

/// The largest such primes: the largest numbers 2^62 - 4096 k + 1 that are prime, with a root g^((p-1)/4096), where g is the
/// least positive non-residue.
pub(super) static PRIMES: [Prime; 48] = [
    Prime::new(16, 0x337f_0382_475b_d7bc),
    Prime::new(24, 0x20b2_6a7d_71ae_97e1),
    Prime::new(27, 0x3c2f_3b13_c2fb_4681),
    Prime::new(39, 0x2801_2060_6e03_0e51),
    Prime::new(42, 0x2bdb_01b5_0f98_eab3),
    Prime::new(46, 0x1dcf_e0b3_6971_897f),
    Prime::new(106, 0x099d_32f5_c419_feb2),
    Prime::new(111, 0x0536_8280_e769_370c),
    Prime::new(123, 0x27e1_4593_73ae_732f),
    Prime::new(171, 0x0c61_84e7_cbe9_637a),
    Prime::new(178, 0x3f60_fdfe_bfac_a3af),
    Prime::new(228, 0x0a72_8cf6_4778_0706),
    Prime::new(267, 0x17b7_4463_19f3_1103),
    Prime::new(274, 0x148f_0156_911d_9623),
    Prime::new(276, 0x36b2_85a6_595a_81c8),
    Prime::new(282, 0x256d_83f9_edd7_9bc5),
    Prime::new(331, 0x16a7_2c3d_d152_50ed),
    Prime::new(358, 0x3d89_6dcd_b256_a636),
    Prime::new(363, 0x055c_b99d_e842_ea77),
    Prime::new(384, 0x0247_8325_ca6a_9528),
    Prime::new(399, 0x0964_72dc_bfa6_72f3),
    Prime::new(402, 0x0df9_231d_6882_b1a1),
    Prime::new(403, 0x2d75_c3c8_c1ae_a85a),
    Prime::new(429, 0x2e5a_1cdf_398e_eb02),
    Prime::new(441, 0x1c55_cb5f_c51e_fe5c),
    Prime::new(451, 0x18bc_580d_b238_41bf),
    Prime::new(478, 0x3db4_65a2_33d9_e58e),
    Prime::new(541, 0x177b_1e90_089d_4f29),
    Prime::new(562, 0x01e2_e789_8f22_59c9),
    Prime::new(589, 0x3291_9ff0_70d9_cba2),
    Prime::new(612, 0x2a3d_4629_13a1_c254),
    Prime::new(633, 0x3ef6_e133_112c_4c24),
    Prime::new(637, 0x25f4_2028_acac_f004),
    Prime::new(648, 0x1aec_ea2c_fa01_e697),
    Prime::new(673, 0x20c6_ee18_dc7c_a548),
    Prime::new(693, 0x3d96_e506_7161_96a5),
    Prime::new(711, 0x25ac_016e_4329_7621),
    Prime::new(721, 0x38ea_7f52_3115_e897),
    Prime::new(724, 0x2301_48b9_3d42_6573),
    Prime::new(727, 0x1149_0aa9_bca4_1fe6),
    Prime::new(769, 0x1f87_82fe_5f4f_7fc1),
    Prime::new(783, 0x1244_4bbc_650b_65bd),
    Prime::new(823, 0x2f15_d1de_fcc0_b747),
    Prime::new(856, 0x03a8_106a_0494_ba4c),
    Prime::new(861, 0x33f8_9151_b603_1824),
    Prime::new(886, 0x0698_89a1_113f_147d),
    Prime::new(897, 0x0ac7_4303_6889_74ba),
    Prime::new(898, 0x0fe7_94fe_c2bc_272d),
];

const LOW: u64 = (1 << 62) - 1;

impl Prime {
    const fn new(k: u64, root: u64) -> Self {
        let delta = (k << 12) - 1;
        Self { p: (1 << 62) - delta, delta, root }
    }

    /// x modulo p in 0 ..= p-1, for x < 2^126.
    #[inline(always)]
    pub(super) const fn reduce(self, x: u128) -> u64 {
        // x = h 2^62 + l with h < 2^64; y = h delta + l < 2^87
        let y = (x >> 62) * self.delta as u128 + (x as u64 & LOW) as u128;
        // z < 2^25 delta + 2^62 < 2 p
        let z = (y >> 62) as u64 * self.delta + (y as u64 & LOW);
        self.subtract_once(z)
    }

    /// a b modulo p in 0 ..= p-1, for a b < 2^126.
    #[inline(always)]
    pub(super) const fn mul(self, a: u64, b: u64) -> u64 {
        self.reduce(a as u128 * b as u128)
    }

    /// a - b modulo p, for a, b < p.
    #[inline(always)]
    pub(super) const fn sub(self, a: u64, b: u64) -> u64 {
        self.add_if_negative(a.wrapping_sub(b))
    }

    /// A small signed integer modulo p.
    #[inline(always)]
    pub(super) const fn small(self, x: i32) -> u64 {
        self.add_if_negative(x as i64 as u64)
    }

    /// The representative of a residue in -(p-1)/2 ..= (p-1)/2.
    #[inline(always)]
    pub(super) const fn centred(self, x: u64) -> i64 {
        let larger = ((self.p >> 1).wrapping_sub(x) as i64 >> 63) as u64;
        x.wrapping_sub(self.p & larger) as i64
    }

    /// x mod p for x < 2p.
    #[inline(always)]
    pub(super) const fn subtract_once(self, x: u64) -> u64 {
        self.add_if_negative(x.wrapping_sub(self.p))
    }

    #[inline(always)]
    const fn add_if_negative(self, x: u64) -> u64 {
        x.wrapping_add(self.p & (x as i64 >> 63) as u64)
    }

    /// x^exponent; the exponent is public.
    pub(super) const fn power(self, x: u64, mut exponent: u64) -> u64 {
        let (mut result, mut square) = (1, x);
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = self.mul(result, square);
            }
            square = self.mul(square, square);
            exponent >>= 1;
        }
        result
    }

    /// 1/x, for x < p; 0 for 0.
    pub(super) const fn invert(self, x: u64) -> u64 {
        self.power(x, self.p - 2)
    }

    /// 1/2^log, log <= 12.
    pub(super) const fn inverse_of_power_of_two(self, log: u32) -> u64 {
        // p - 1 is a multiple of 2^log, and 2^log (p-1)/2^log is -1.
        self.p - ((self.p - 1) >> log)
    }

    /// An element of order 2^log, log <= 12.
    pub(super) const fn root_of_order(self, log: u32) -> u64 {
        self.power(self.root, 1 << (12 - log))
    }

    /// The residue of an integer in limbs, two's complement, the least significant first.
    #[inline(always)]
    pub(super) fn residue_signed(self, limbs: &[u64]) -> u64 {
        let top = limbs[limbs.len() - 1];
        // 2^64 = 4 delta
        let sign = (self.delta << 2) & (top as i64 >> 63) as u64;
        let start = self.sub(self.reduce(top as u128), sign);
        // r 2^64 + limb < 2^126
        let below = limbs[..limbs.len() - 1].iter().rev();
        below.fold(start, |r, &limb| self.reduce((r as u128) << 64 | u128::from(limb)))
    }
}

/// A constant factor w < p with floor(w 2^64 / p).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Factor {
    w: u64,
    quotient: u64,
}

impl Factor {
    #[inline(always)]
    pub(super) const fn new(prime: Prime, w: u64) -> Self {
        // w 2^64 = 4 w (p + delta); the remainder 4 w delta < 2^86 is divided by 2^62 instead of p, which may lose one.
        let guess = (w << 2) + ((w as u128 * (prime.delta << 2) as u128) >> 62) as u64;
        let remainder = guess.wrapping_mul(prime.p).wrapping_neg(); // of w 2^64, modulo 2^64; below 2p
        let larger = !((remainder.wrapping_sub(prime.p) as i64 >> 63) as u64);
        Self { w, quotient: guess.wrapping_sub(larger) }
    }

    /// w.
    #[inline(always)]
    pub(super) const fn value(self) -> u64 {
        self.w
    }

    /// w x modulo p in 0 ..= 2p-1, for every x.
    #[inline(always)]
    pub(super) const fn mul_lazy(self, prime: Prime, x: u64) -> u64 {
        // The quotient of w x by p is this or one more: w x - floor(x floor(w 2^64/p) / 2^64) p < 2p.
        let quotient = ((self.quotient as u128 * x as u128) >> 64) as u64;
        self.w.wrapping_mul(x).wrapping_sub(quotient.wrapping_mul(prime.p))
    }
}

#[cfg(test)]
#[allow(clippy::integer_division_remainder_used, reason = "tests")]
mod tests {
    use super::*;

    /// x^e mod p by plain division.
    fn power(x: u64, mut e: u64, p: u64) -> u64 {
        let (mut result, mut square) = (1u128, u128::from(x));
        while e > 0 {
            if e & 1 == 1 {
                result = result * square % u128::from(p);
            }
            square = square * square % u128::from(p);
            e >>= 1;
        }
        result as u64
    }

    /// Miller-Rabin with the twelve bases that decide for every 64-bit number.
    fn is_prime(n: u64) -> bool {
        let twos = (n - 1).trailing_zeros();
        [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37].iter().all(|&base| {
            let mut x = power(base, (n - 1) >> twos, n);
            x == 1
                || (0..twos).any(|_| {
                    let hit = x == n - 1;
                    x = power(x, 2, n);
                    hit
                })
        })
    }

    #[test]
    fn the_table_holds_the_largest_primes_and_their_roots() {
        let mut entries = PRIMES.iter();
        let mut k = 1;
        while entries.len() > 0 {
            let p = (1u64 << 62) - 4096 * k + 1;
            if is_prime(p) {
                let entry = entries.next().expect("the loop's condition");
                let non_residue = (2..).find(|&g| power(g, (p - 1) / 2, p) == p - 1).expect("there is one");
                assert_eq!((entry.p, entry.delta), (p, (1 << 62) - p));
                assert_eq!(entry.root, power(non_residue, (p - 1) / 4096, p));
                assert_eq!(power(entry.root, 2048, p), p - 1);
            }
            k += 1;
        }
    }

    #[test]
    fn reductions_equal_divisions_at_the_limits() {
        for prime in [PRIMES[0], PRIMES[47]] {
            let p = u128::from(prime.p);
            let edges =
                [0, 1, p - 1, p, p + 1, 2 * p - 1, 1 << 62, (1 << 64) - 1, 1 << 64, (1 << 126) - 1, p * p];
            for x in edges {
                assert_eq!(u128::from(prime.reduce(x)), x % p);
            }
            for x in [0, 1, 2, 77, prime.p >> 1, (prime.p >> 1) + 1, prime.p - 1] {
                let factor = Factor::new(prime, x);
                assert_eq!(u128::from(factor.quotient), (u128::from(x) << 64) / p);
                for y in [0, 1, prime.p - 1, prime.p, 4 * prime.p - 1, u64::MAX] {
                    let product = factor.mul_lazy(prime, y);
                    assert!(product < 2 * prime.p);
                    assert_eq!(u128::from(product) % p, u128::from(x) * u128::from(y) % p);
                }
                assert_eq!(prime.mul(x, prime.invert(x)), u64::from(x != 0));
                let centred = i128::from(prime.centred(x));
                assert!(2 * centred.abs() < p as i128);
                assert_eq!(centred.rem_euclid(p as i128), i128::from(x));
            }
            for log in 0..=12 {
                assert_eq!(prime.mul(prime.inverse_of_power_of_two(log), 1 << log), 1);
            }
            for x in [0, 1, -1, 127, i32::MIN, i32::MAX] {
                assert_eq!(i128::from(prime.small(x)), i128::from(x).rem_euclid(p as i128));
            }
        }
    }

    #[test]
    fn residues_of_limbs() {
        for prime in [PRIMES[0], PRIMES[47]] {
            let p = i128::from(prime.p);
            for x in
                [0, 1, -1, i128::MAX, i128::MIN, p, -p, p << 64, 0x0123_4567_89ab_cdef_0011_2233_4455_6677]
            {
                let limbs = [x as u64, (x >> 64) as u64];
                assert_eq!(i128::from(prime.residue_signed(&limbs)), x.rem_euclid(p));
                // One limb more, by its definition.
                let limbs = [5, limbs[0], limbs[1]];
                let expected = (x.rem_euclid(p) as u128 * ((1u128 << 64) % p as u128) + 5) % p as u128;
                assert_eq!(u128::from(prime.residue_signed(&limbs)), expected);
            }
        }
    }
}
