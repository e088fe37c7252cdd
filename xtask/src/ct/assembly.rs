//! Instructions whose time depends on their operands.

use super::{Level, build};
use crate::UsageError;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// A target to disassemble for.
struct Target {
    triple: &'static str,
    disassemblers: &'static [&'static str],
    linker: Option<&'static str>,
}

const TARGETS: [Target; 2] = [
    Target { triple: "x86_64-unknown-linux-gnu", disassemblers: &["objdump"], linker: None },
    Target {
        triple: "aarch64-unknown-linux-gnu",
        disassemblers: &["aarch64-linux-gnu-objdump"],
        linker: Some("aarch64-linux-gnu-gcc"),
    },
];

/// The crates whose functions handle secrets, as path prefixes in demangled names.
const CRATES: [&str; 6] =
    ["pq_common", "pq_arith", "iccs_symmetric", "yuanyang_kem", "yuanyang_dsa", "zen_kem"];

/// An instruction that must not be there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The function, demangled.
    pub function: String,
    /// The instruction.
    pub instruction: String,
}

pub(super) fn command(workspace: &Path, levels: &[Level]) -> Result<(String, bool), UsageError> {
    let mut output = String::new();
    let (mut passed, mut checked) = (true, 0);
    for target in &TARGETS {
        let available = |tool: &&&str| Command::new(tool).arg("--version").output().is_ok();
        let Some(disassembler) = target.disassemblers.iter().find(available) else {
            let _ = writeln!(output, "SKIPPED: {}: no {}", target.triple, target.disassemblers.join(" or "));
            continue;
        };
        for &level in levels {
            // Without the cfg the program refuses to run, and its operations are not even compiled.
            let linker = target.linker.map_or(String::new(), |linker| format!(" -Clinker={linker}"));
            let program = match build(workspace, level, Some(target.triple), &format!("--cfg pq_ct{linker}"))
            {
                Ok(program) => program,
                // The host itself must build; another target may be missing here.
                Err(error) if target.linker.is_none() => return Err(error),
                Err(_) => {
                    let _ = writeln!(output, "SKIPPED: {}: it does not build here", target.triple);
                    break;
                }
            };
            let text = disassemble(disassembler, &program)?;
            let functions = functions_of_ours(&text);
            let found = findings(&text);
            checked += 1;
            passed &= found.is_empty() && functions > 0;
            let _ = writeln!(
                output,
                "{} opt-level {}: {functions} functions of ours, {} findings",
                target.triple,
                level.name(),
                found.len()
            );
            for finding in found {
                let _ = writeln!(output, "  {}: {}", finding.function, finding.instruction);
            }
        }
    }
    let passed = passed && checked > 0;
    let _ = writeln!(output, "RESULT ct-asm {}", if passed { "PASS" } else { "FAIL" });
    Ok((output, passed))
}

fn disassemble(disassembler: &str, program: &Path) -> Result<String, UsageError> {
    let output = Command::new(disassembler)
        .args(["--disassemble", "--no-show-raw-insn", "--demangle", "--line-numbers"])
        .arg(program)
        .output()
        .map_err(|error| UsageError(format!("cannot run {disassembler}: {error}")))?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        return Err(UsageError(format!("{disassembler} failed:\n{errors}")));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The name of the function whose disassembly starts with this line.
fn function_start(line: &str) -> Option<&str> {
    line.strip_suffix(">:")?.split_once(" <").map(|(_, name)| name)
}

fn is_ours(function: &str) -> bool {
    CRATES.iter().any(|name| function.contains(&format!("{name}::")))
}

/// How many functions of our crates a disassembly holds; zero means that nothing was checked.
#[must_use]
pub fn functions_of_ours(disassembly: &str) -> usize {
    disassembly.lines().filter_map(function_start).filter(|name| is_ours(name)).count()
}

/// Divisions in functions of our crates, and floating-point arithmetic in those of signing.
///
/// The standard library's iterators over parts of slices, alone or zipped, divide the length of the slice. Lengths are public, so divisions
/// whose line belongs to that code are none of ours.
#[must_use]
pub fn findings(disassembly: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    let (mut function, mut divides_lengths) = ("", false);
    for line in disassembly.lines() {
        if let Some(name) = function_start(line) {
            (function, divides_lengths) = (name, false);
        } else if line.starts_with('/') {
            divides_lengths =
                ["slice", "iter"].iter().any(|part| line.contains(&format!("/library/core/src/{part}/")));
        } else if is_ours(function) {
            let Some((_, instruction)) = line.split_once(":\t") else { continue };
            let mnemonic = instruction.split_whitespace().next().unwrap_or("");
            let signs = function.contains("yuanyang_dsa::") && !function.contains("keygen");
            if is_division(mnemonic) && !divides_lengths || signs && is_float(mnemonic) {
                let instruction = instruction.split_whitespace().collect::<Vec<_>>().join(" ");
                findings.push(Finding { function: function.to_owned(), instruction });
            }
        }
    }
    findings
}

/// Integer division on x86 and AArch64.
fn is_division(mnemonic: &str) -> bool {
    let stem = mnemonic.trim_end_matches(['b', 'w', 'l', 'q']);
    matches!(stem, "div" | "idiv" | "udiv" | "sdiv")
}

/// Scalar and packed floating-point arithmetic and conversion; moves and logic on vector registers are none.
fn is_float(mnemonic: &str) -> bool {
    let x86 = mnemonic.trim_start_matches('v');
    let arithmetic = ["add", "sub", "mul", "div", "sqrt", "fmadd", "fmsub", "fnmadd"];
    let suffixed = ["ss", "sd", "ps", "pd"].iter().any(|suffix| x86.ends_with(suffix));
    let aarch64 =
        ["fadd", "fsub", "fmul", "fdiv", "fsqrt", "fmadd", "fmla", "scvtf", "ucvtf", "fcvtzs", "fcvtzu"];
    suffixed && arithmetic.iter().any(|stem| x86.starts_with(stem))
        || x86.starts_with("cvtsi2s")
        || x86.starts_with("cvttsd")
        || aarch64.contains(&mnemonic)
}
