//! The NTRU equation f G - g F = q.
//!
//! The solver goes down a tower of norms to two integers ([`tower`]), inverts the one modulo the other ([`gcd`]), comes back up with
//! fractions modulo 1 ([`lift`]) and rounds once at the top ([`finish`]). Two things make it short. Only one of the two
//! unknowns is carried, and only as v/f modulo 1, so that no level has anything to divide or to reduce; and q enters at the end.
//!
//! # Constant time
//!
//! All sizes are those of [`sizes`], the same for every key of a set. Branches and memory indices do not depend on f and g, with
//! these exceptions, each of which happens to fewer than one key in a million: that the sizes for typical keys did not suffice, which
//! leads to a second run with sizes that suffice for every key; and what is noted in [`gcd`] and [`finish`]. The outcome is public.
//!
//! Every buffer is wiped; a few words in registers and on the stack are not.

mod crt;
mod finish;
mod gcd;
mod lift;
mod limbs;
mod modular;
mod ntt;
mod sizes;
mod tower;

use crate::heap::SecretVec;
use crate::params::Params;
use alloc::vec::Vec;
use finish::Top;
use limbs::montgomery_steps;
use modular::PRIMES;
use ntt::Transform;
use pq_common::{Backend, declassify};
use sizes::{Estimate, Sizes};
use tower::Tower;

/// What came of an equation.
#[derive(Debug)]
pub(super) enum Outcome {
    /// F and G; every coefficient of (f* F + g* G)/(f f* + g g*) lies between -1/2 and 1/2.
    Solved([SecretVec<i32>; 2]),
    /// The resultants of f and g with X^d+1 have a common factor.
    NotCoprime,
}

/// Solves f G - g F = q, for f with f(1) odd; f and g have passed the annulus test.
pub(super) fn solve<P: Params>(backend: Backend, f: &[i8], g: &[i8]) -> Outcome {
    let q = u64::from(P::Q.unsigned_abs());
    [Estimate::Typical, Estimate::Guaranteed]
        .iter()
        .find_map(|&estimate| attempt(backend, &Sizes::new::<P>(estimate), q, f, g))
        // Only if a prime of 62 bits divides the resultant of f.
        .unwrap_or(Outcome::NotCoprime)
}

/// Why it may show that a pair has no solution.
const THROWN_AWAY: &str = "a pair without a solution is thrown away";
/// Why it may show that typical sizes did not suffice.
const INSUFFICIENT: &str =
    "sizes for typical pairs suffice but for less than one pair in a million, and a second run follows";

/// One run with given sizes, `None` if they did not suffice.
fn attempt(backend: Backend, sizes: &Sizes, q: u64, f: &[i8], g: &[i8]) -> Option<Outcome> {
    let transforms = transforms(sizes);
    let tower = Tower::new(sizes, &transforms, f, g);
    let top = Top::new(backend, &transforms[0], q, tower.values(0, 0), [f, g]);

    // The resultants are right, or wrong modulo this prime too.
    let resultants = [0, 1].map(|which| tower.polynomial(sizes, sizes.last, which).limbs);
    let residues = resultants.map(|limbs| transforms[0].prime.residue_signed(limbs));
    let wrong = residues.iter().zip(top.resultants()).fold(0, |wrong, (&x, y)| wrong | (x ^ y));
    if declassify(wrong, INSUFFICIENT) != 0 {
        return None;
    }
    let Some(mut fraction) = bottom(sizes, resultants[0], resultants[1]) else {
        return Some(Outcome::NotCoprime);
    };
    for level in (0..sizes.last).rev() {
        fraction = lift::lift(sizes, &transforms, &tower, level, &fraction);
    }
    top.solution(&fraction, sizes.precision(0)).map(Outcome::Solved)
}

/// For every prime that some level uses, the transform of the degree of the first level that does.
fn transforms(sizes: &Sizes) -> Vec<Transform> {
    let mut transforms = Vec::new();
    for level in (0..sizes.last).take_while(|&level| sizes.has_transforms(level)) {
        let new = transforms.len()..sizes.primes(level);
        transforms.extend(new.map(|j| Transform::new(PRIMES[j], sizes.degree(level))));
    }
    transforms
}

/// The fraction v/a modulo 1 with v b = 1 modulo a, or `None` if a and b are not coprime. a is odd, and both are positive, as
/// norms from a field without real embeddings.
fn bottom(sizes: &Sizes, a: &[u64], b: &[u64]) -> Option<SecretVec<u64>> {
    let width = sizes.fraction_width(sizes.last);
    let bits = sizes.resultant_bits() + 1;
    let mut quotients = SecretVec::zeroed(width);
    // b' = b/2^(precision - 64 shift) modulo a
    let mut scaled = SecretVec::<u64>::zeroed(b.len() + 1);
    scaled[..b.len()].copy_from_slice(b);
    montgomery_steps(&mut scaled, a, &mut quotients[gcd::shift(bits)..]);
    // r = 2^(64 shift)/b' = v 2^precision modulo a
    let mut inverse = SecretVec::<u64>::zeroed(b.len() + 1);
    let coprime = gcd::invert(&mut inverse, a, &scaled, bits);
    if declassify(coprime, THROWN_AWAY) == 0 {
        return None;
    }
    // v 2^precision - r is a multiple of a, and the quotient is -r/a modulo 2^precision. It is the fraction up to r/a < 2^9 units.
    montgomery_steps(&mut inverse, a, &mut quotients);
    Some(quotients)
}

#[cfg(test)]
#[allow(clippy::float_arithmetic, clippy::integer_division_remainder_used, reason = "tests")]
mod tests;
