//! `cargo xtask selftest`: the statistical tests of YuanYang.DSA and round trips of the key encapsulation mechanisms, longer than `cargo
//! test` can afford.
//!
//! The signer as submitted is tested as well, and has to fail where it is known to be wrong: that shows that the tests can
//! tell the difference.

mod dsa;
mod kem;

use crate::UsageError;
use crate::kat::select;
use crate::schemes;
use clap::Args;
use std::fmt;
use test_support::statistics::Check;

/// The arguments of `cargo xtask selftest`.
#[derive(Args, Clone, Debug, Default)]
#[command(
    after_help = "Each check ends in a line RESULT <id> <set> <check> <word> with the figure, its bounds and the sample size:
  PASS  the figure is within its bounds; or out of them, for a signer that is known to be wrong
  FAIL  the contrary
Exit status: 0 when every word is PASS, 1 otherwise, 2 when the request cannot be served."
)]
pub struct Arguments {
    /// Schemes by name or id, such as yuanyang-dsa or sign-34 [default: all].
    #[arg(value_name = "SCHEME")]
    pub schemes: Vec<String>,

    /// Only the parameter set of this name; may be repeated.
    #[arg(long = "set", value_name = "LABEL")]
    pub sets: Vec<String>,

    /// Signatures for each set; a quarter as many by the signer as submitted, but at least the 4000, 500, 500 (by the size of
    /// the set) that it takes to see it fail [default: 64000, 16000, 4000 by the size of the set].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(500..))]
    pub signatures: Option<u32>,

    /// Small samples, for less than a minute in all.
    #[arg(long)]
    pub quick: bool,
}

/// The size of the samples.
#[derive(Clone, Copy, Debug)]
struct Effort {
    quick: bool,
    signatures: Option<u32>,
}

impl Effort {
    /// `long`, or `quick` if asked for.
    fn pick(self, long: usize, quick: usize) -> usize {
        if self.quick { quick } else { long }
    }
}

/// What a check found.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What was checked, such as `corrected:mean`.
    pub name: String,
    /// The figure and its bounds.
    pub check: Check,
    /// Whether it must be out of bounds, since what was tested is known to be wrong.
    pub must_fail: bool,
    /// The sample size.
    pub count: usize,
}

impl Finding {
    /// `failures` out of `count`, none of which may be.
    fn none_of(name: &'static str, failures: usize, count: usize) -> Self {
        let check = Check { name, found: failures as f64, low: 0.0, high: 0.0 };
        Self { name: name.to_owned(), check, must_fail: false, count }
    }

    /// Whether it is as it should be.
    #[must_use]
    pub fn passes(&self) -> bool {
        self.check.holds() != self.must_fail
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, check: Check { found, low, high, .. }, must_fail, count } = self;
        let word = if self.passes() { "PASS" } else { "FAIL" };
        let (figures, must) = (f.precision().unwrap_or(3), if *must_fail { "outside" } else { "within" });
        write!(
            f,
            "{name} {word} {found:.figures$}, must be {must} {low:.figures$} .. {high:.figures$}, n = {count}"
        )
    }
}

/// Runs the command; returns what to print and whether all is well.
///
/// # Errors
///
/// An unknown name.
pub fn command(arguments: &Arguments) -> Result<(String, bool), UsageError> {
    let all = schemes::all();
    let selected = select(&all, &arguments.schemes, &arguments.sets)?;
    let effort = Effort { quick: arguments.quick, signatures: arguments.signatures };
    let (mut output, mut failed, mut checks) = (String::new(), 0, 0);
    for scheme in selected {
        let set = scheme.set();
        let test = match set.scheme {
            "yuanyang-dsa" => dsa::test(set.label),
            _ => kem::test(set.scheme, set.label),
        };
        let Some(test) = test else {
            return Err(UsageError(format!("there is no self test of {} {}", set.scheme, set.label)));
        };
        eprintln!("{} {}:", set.scheme, set.label);
        test(effort, &mut |finding| {
            eprintln!("  {finding}");
            output += &format!("RESULT {} {} {finding}\n", set.id, set.label);
            failed += usize::from(!finding.passes());
            checks += 1;
        });
    }
    output += &format!("{checks} checks, {failed} failed\n");
    Ok((output, failed == 0))
}

/// A self test: told how much to do and whom to report to.
type Test = fn(Effort, &mut dyn FnMut(Finding));

/// Says on the terminal how far a loop has come, ten times.
fn progress(what: &str, done: usize, of: usize) {
    if done > 0 && done * 10 / of != (done - 1) * 10 / of && done < of {
        eprintln!("  {what}: {done} of {of}");
    }
}
