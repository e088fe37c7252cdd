//! What a program that runs every operation counts, in a table with a column for each optimisation level.

use crate::UsageError;
use crate::programs::Level;
use std::fmt::Write;

/// A count of one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Set, operation and backend.
    pub place: [String; 3],
    /// How often the program found what it looks for.
    pub count: u64,
    /// Why it is expected to find something.
    pub expected: Option<String>,
}

/// Reads lines of set, operation, backend, count and perhaps a reason why something is found, separated by tabs. The control must come first, and
/// something must have been found there.
///
/// # Errors
///
/// A line is not of the form, the control is missing or nothing was found there, or there is nothing else.
pub fn parse(text: &str) -> Result<Vec<Row>, UsageError> {
    let rows = text.lines().map(parse_line).collect::<Result<Vec<_>, _>>()?;
    match rows.iter().find(|row| row.place[0] != "control") {
        None => Err(UsageError("no operation of these sets was run".to_owned())),
        _ if rows[0].place[0] != "control" => Err(UsageError("the control is missing".to_owned())),
        _ if rows[0].count == 0 => {
            Err(UsageError("nothing was found in the control: nothing is checked".to_owned()))
        }
        _ => Ok(rows),
    }
}

fn parse_line(line: &str) -> Result<Row, UsageError> {
    let unreadable = || UsageError(format!("the program printed {line:?}"));
    let fields: Vec<&str> = line.split('\t').collect();
    let (place, [count, expected @ ..]) = fields.split_first_chunk::<3>().ok_or_else(unreadable)? else {
        return Err(unreadable());
    };
    let expected = match expected {
        [] => None,
        [reason] => Some((*reason).to_owned()),
        _ => return Err(unreadable()),
    };
    let count = count.parse().map_err(|_| unreadable())?;
    Ok(Row { place: place.map(str::to_owned), count, expected })
}

/// One line per set, operation and backend, one column per level, the reasons of what is expected, and the verdict: whether everything
/// but that and the controls is zero.
///
/// # Errors
///
/// The levels did not run the same operations.
pub fn table(
    check: &str,
    failure: &str,
    unit: &str,
    columns: &[(Level, Vec<Row>)],
) -> Result<(String, bool), UsageError> {
    let mut output = format!("{:20} {:26} {:8}", "set", "operation", "backend");
    for (level, _) in columns {
        let _ = write!(output, " {:>7}", format!("O{}", level.name()));
    }
    output.push('\n');
    let (mut total, mut expected, mut reasons) = (0, 0, Vec::new());
    let rows = columns.first().map_or(&[][..], |(_, rows)| rows);
    for (i, row) in rows.iter().enumerate() {
        let [set, operation, backend] = &row.place;
        let _ = write!(output, "{set:20} {operation:26} {backend:8}");
        for (level, others) in columns {
            let Some(other) = others.get(i).filter(|other| other.place == row.place) else {
                return Err(UsageError(format!("opt-level {} ran other operations", level.name())));
            };
            let _ = write!(output, " {:>7}", other.count);
            match &row.expected {
                Some(_) => expected += other.count,
                None if set != "control" => total += other.count,
                None => {}
            }
        }
        if let Some(reason) = &row.expected {
            output.push_str(" *");
            if !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
        output.push('\n');
    }
    for reason in reasons {
        let _ = writeln!(output, "* expected: {reason}");
    }
    let word = if total == 0 { "PASS" } else { failure };
    let also = if expected == 0 { String::new() } else { format!(", {expected} where they are expected") };
    let _ =
        writeln!(output, "RESULT {check} {word} ({total} {unit}{also}; the control is found as it must be)");
    Ok((output, total == 0))
}
