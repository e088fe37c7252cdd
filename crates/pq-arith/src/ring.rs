//! The rings Z_q\[X\]/(X^d+1) and the tables of their incomplete number-theoretic transforms.
//!
//! q is a prime below 2^13 and 2m the order of a root of unity `w` modulo q, m a power of two dividing d.
//! Then X^d+1 is the product of the m polynomials X^B - w^(2 brv(i) + 1), i = 0, ..., m-1, with
//! B = d/m and brv the reversal of log2(m) bits. The transform of a polynomial is the list of its m
//! residues ("blocks") modulo these factors, block i at positions iB, ..., iB+B-1 in ascending
//! powers. It is called incomplete because B > 1.
//!
//! Where 2m is the exact power of two in q-1, every factor is irreducible and a block is an element of
//! the field with q^B elements. This holds for every ring here.

#![allow(clippy::integer_division_remainder_used, reason = "constants, computed at compile time")]

use core::fmt::Debug;
use pq_common::Array;

/// A ring Z_q\[X\]/(X^d+1) with its transform.
///
/// The trait is sealed: the kernels rely on the relations between its constants, which are checked
/// when the tables are computed at compile time.
pub trait Ring: Copy + Debug + Send + Sync + sealed::Sealed + 'static {
    /// The prime modulus.
    const Q: i16;
    /// d, the number of coefficients.
    const DEGREE: usize;
    /// m, the number of blocks of a transform.
    const BLOCKS: usize;
    /// A primitive 2m-th root of unity modulo q.
    const ROOT: i16;
    /// `[i16; d]`.
    type Coefficients: Array<Item = i16>;

    /// B = d/m, the number of coefficients of a block.
    const BLOCK: usize = Self::DEGREE >> Self::BLOCKS.trailing_zeros();
    /// Constants of the arithmetic modulo q.
    const MODULUS: Modulus = Modulus::new(Self::Q);
    /// Roots of unity in the order in which the transforms use them.
    const TABLE: &'static Table = &Table::new(Self::Q, Self::ROOT, Self::BLOCKS);
    /// Where the forward transform has to reduce.
    const FORWARD: ForwardSchedule = ForwardSchedule::new(Self::Q, Self::BLOCKS);
    /// Where the inverse transform has to reduce.
    const INVERSE: InverseSchedule = InverseSchedule::new(Self::Q, Self::BLOCKS);
}

macro_rules! ring {
    ($(#[$doc:meta])* $name:ident: q = $q:literal, degree = $degree:literal, blocks = $blocks:literal, root = $root:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl sealed::Sealed for $name {}

        impl Ring for $name {
            const Q: i16 = $q;
            const DEGREE: usize = $degree;
            const BLOCKS: usize = $blocks;
            const ROOT: i16 = $root;
            type Coefficients = [i16; $degree];
        }

        const _: () = check($q, $degree, $blocks, $root);
    };
}

ring! {
    /// Z_2689\[X\]/(X^512+1): the ring of yuanyang-512. 64 blocks of 8.
    Q2689D512: q = 2689, degree = 512, blocks = 64, root = 2327
}
ring! {
    /// Z_4481\[X\]/(X^1024+1): the ring of yuanyang-1024. 64 blocks of 16.
    Q4481D1024: q = 4481, degree = 1024, blocks = 64, root = 1937
}
ring! {
    /// Z_7681\[X\]/(X^2048+1): the ring of yuanyang-2048. 256 blocks of 8.
    Q7681D2048: q = 7681, degree = 2048, blocks = 256, root = 7146
}
ring! {
    /// Z_769\[X\]/(X^512+1): the ring of ZEN_128. 128 blocks of 4.
    Q769D512: q = 769, degree = 512, blocks = 128, root = 562
}
ring! {
    /// Z_769\[X\]/(X^1024+1): the ring of ZEN_256. 128 blocks of 8.
    Q769D1024: q = 769, degree = 1024, blocks = 128, root = 562
}
ring! {
    /// Z_769\[X\]/(X^2048+1): the ring of ZEN_512. 128 blocks of 16.
    Q769D2048: q = 769, degree = 2048, blocks = 128, root = 562
}

/// Constants of Montgomery arithmetic with R = 2^16 and of rounded division by q.
#[derive(Clone, Copy, Debug)]
pub struct Modulus {
    /// q^-1 modulo 2^16, as a signed word.
    pub(crate) q_inverse: i16,
    /// R^2 mod q, centred: the Montgomery factor that multiplies by R.
    pub(crate) r_squared: i16,
    /// round(2^(16+s)/q), as large as fits a signed word.
    pub(crate) reciprocal: i16,
    /// s.
    pub(crate) reciprocal_shift: u32,
}

impl Modulus {
    const fn new(q: i16) -> Self {
        // Newton's iteration doubles the number of correct bits of q^-1 mod 2^k; q*q = 1 mod 8 starts it.
        let mut inverse = q;
        let mut bits = 3;
        while bits < 16 {
            inverse = inverse.wrapping_mul(2i16.wrapping_sub(q.wrapping_mul(inverse)));
            bits *= 2;
        }
        let q = q as i64;
        let mut shift = 15;
        while round_div(1 << (16 + shift), q) > i16::MAX as i64 {
            shift -= 1;
        }
        Self {
            q_inverse: inverse,
            r_squared: centred(1 << 32, q),
            reciprocal: round_div(1 << (16 + shift), q) as i16,
            reciprocal_shift: shift,
        }
    }
}

/// Roots of unity, centred and times R = 2^16 modulo q.
#[derive(Clone, Debug)]
pub struct Table {
    /// w^brv(k) for k = 1, ..., m-1: the factor of the k-th butterfly group.
    pub(crate) zetas: [Factor; MAX_BLOCKS],
    /// w^(2 brv(i) + 1): block i is a residue modulo X^B minus this. For i = 2j it is the factor of group m/2 + j in `zetas`,
    /// whose butterflies separate blocks 2j and 2j+1, and for i = 2j+1 the opposite.
    pub(crate) roots: [i16; MAX_BLOCKS],
    /// R/m: undoes the growth of the inverse transform and the factor 1/R of a product of two transforms.
    pub(crate) scale: Factor,
    /// The same times w^brv(1), for the half of the last inverse layer that is multiplied anyway.
    pub(crate) scale_zeta: Factor,
}

/// A constant factor prepared for Montgomery multiplication.
///
/// Its layout is fixed: vector code loads several at once.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Factor {
    /// The factor times R mod q, centred: |value| <= (q-1)/2.
    pub(crate) value: i16,
    /// `value` times q^-1 mod 2^16.
    pub(crate) value_q_inverse: i16,
}

impl Factor {
    /// `factor` is any integer; the result multiplies by it modulo q.
    const fn new(factor: i64, q: i64) -> Self {
        let value = centred((factor % q) << 16, q);
        Self { value, value_q_inverse: value.wrapping_mul(Modulus::new(q as i16).q_inverse) }
    }
}

pub(crate) const MAX_BLOCKS: usize = 256;

impl Table {
    const fn new(q: i16, root: i16, blocks: usize) -> Self {
        let (q, w) = (q as i64, root as i64);
        let bits = blocks.trailing_zeros();
        let mut zetas = [Factor { value: 0, value_q_inverse: 0 }; MAX_BLOCKS];
        let mut roots = [0; MAX_BLOCKS];
        let mut k = 0;
        while k < blocks {
            let reversed = (k as u32).reverse_bits() >> (32 - bits);
            zetas[k] = Factor::new(power(w, reversed, q), q);
            roots[k] = centred(power(w, 2 * reversed + 1, q) << 16, q);
            k += 1;
        }
        let mut j = 0;
        while j < blocks / 2 {
            assert!(roots[2 * j] == zetas[blocks / 2 + j].value && roots[2 * j + 1] == -roots[2 * j]);
            j += 1;
        }
        let scale = power(blocks as i64, q as u32 - 2, q) << 16;
        Self {
            scale: Factor::new(scale, q),
            scale_zeta: Factor::new((scale % q) * power(w, blocks as u32 / 2, q), q),
            zetas,
            roots,
        }
    }
}

/// The largest |x| that a rounded reduction leaves: q/2 and its error, at most q/2^8 where the
/// reciprocal has s >= 8 (see `scalar::reduce`).
pub(crate) const fn reduced_bound(q: i16) -> i32 {
    q as i32 / 2 + (q as i32 >> 8) + 1
}

/// The largest |a z R^-1 mod q| that Montgomery multiplication by a prepared factor leaves for |a| <= `bound`:
/// (|a| |z| + 2^15 q) / 2^16 with |z| <= q/2.
pub(crate) const fn factor_bound(bound: i32, q: i16) -> i32 {
    let q = q as i64;
    ((bound as i64 * (q / 2) + (q << 15)) >> 16) as i32 + 1
}

const WORD: i32 = i16::MAX as i32;

/// The layers of the forward transform before which all coefficients are reduced.
#[derive(Clone, Copy, Debug)]
pub struct ForwardSchedule {
    /// Bit l: reduce before layer l (layer 0 has butterflies at distance d/2).
    pub(crate) reduce_before: u32,
}

impl ForwardSchedule {
    /// Inputs |x| <= 2q. A butterfly adds to |x| at most the bound of a product.
    const fn new(q: i16, blocks: usize) -> Self {
        let mut bound = 2 * q as i32;
        let (mut reduce_before, mut layer) = (0, 0);
        while layer < blocks.trailing_zeros() {
            if bound + factor_bound(bound, q) > WORD {
                reduce_before |= 1 << layer;
                bound = reduced_bound(q);
            }
            bound += factor_bound(bound, q);
            layer += 1;
        }
        Self { reduce_before }
    }
}

/// The layers of the inverse transform whose sums are reduced.
#[derive(Clone, Copy, Debug)]
pub struct InverseSchedule {
    /// Bit l: reduce the sums of layer l (layer 0 has butterflies at distance B).
    pub(crate) reduce_sums: u32,
}

impl InverseSchedule {
    /// Inputs |x| <= q. Sums and differences of a layer are at most twice as large as its inputs; the
    /// differences are then multiplied and come out below q.
    const fn new(q: i16, blocks: usize) -> Self {
        let layers = blocks.trailing_zeros();
        let mut bound = q as i32;
        let (mut reduce_sums, mut layer) = (0, 0);
        while layer < layers {
            assert!(2 * bound <= WORD);
            let product = factor_bound(2 * bound, q);
            bound *= 2;
            if layer + 1 < layers && 2 * bound > WORD {
                reduce_sums |= 1 << layer;
                bound = reduced_bound(q);
            }
            if bound < product {
                bound = product;
            }
            layer += 1;
        }
        // The last layer multiplies its sums too, which brings every result below q.
        assert!(factor_bound(bound, q) < q as i32);
        Self { reduce_sums }
    }
}

/// The relations between the constants of a ring that the kernels rely on.
const fn check(q: i16, degree: usize, blocks: usize, root: i16) {
    let wide = q as i64;
    let block = (degree / blocks) as i64;
    assert!(degree.is_power_of_two() && blocks.is_power_of_two() && blocks <= MAX_BLOCKS);
    assert!(blocks >= 16 && (block == 4 || block == 8 || block == 16));
    assert!(q & 1 == 1 && q < 1 << 13);
    assert!((wide - 1).trailing_zeros() == (2 * blocks).trailing_zeros()); // blocks are fields
    assert!(power(root as i64, blocks as u32, wide) == wide - 1); // order exactly 2m
    let modulus = Modulus::new(q);
    assert!(modulus.reciprocal_shift >= 8);
    assert!((modulus.q_inverse as i64 * wide) as u16 == 1);
    // A product of two reduced blocks: B terms, one factor possibly multiplied by a root, stays below q.
    let reduced = reduced_bound(q) as i64;
    let rotated = factor_bound(reduced_bound(q), q) as i64;
    assert!(((block * reduced * rotated) >> 16) + (wide / 2) + 1 < wide);
    // Block inversion sums up to B/2 products of reduced words and one more of such a sum with a root.
    let sum = (block / 2) as i32 * (((reduced * reduced) >> 16) + (wide / 2) + 1) as i32;
    assert!(sum + factor_bound(sum, q) <= WORD);
    // With pairs, B/2 products of reduced words and words below q.
    assert!(((block / 2 * reduced * wide) >> 16) + (wide / 2) + 1 < wide);
}

const fn power(base: i64, mut exponent: u32, q: i64) -> i64 {
    let (mut result, mut square) = (1, base % q);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result * square % q;
        }
        square = square * square % q;
        exponent >>= 1;
    }
    result
}

/// The residue of x >= 0 in -(q-1)/2 ..= (q-1)/2.
const fn centred(x: i64, q: i64) -> i16 {
    let r = x % q;
    (if r > q / 2 { r - q } else { r }) as i16
}

const fn round_div(x: i64, q: i64) -> i64 {
    (2 * x + q) / (2 * q)
}

mod sealed {
    /// Restricts `Ring` to the rings of this module.
    pub trait Sealed {}
}
