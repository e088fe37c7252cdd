//! Changes of JSON values that leave them nearly right.

use crate::input::Input;
use serde_json::{Value, json};

/// Makes the edits that the rest of `input` describes: three bytes choose a value inside of `value`, one what becomes of it.
pub fn edit(value: &mut Value, input: &mut Input<'_>) {
    while !input.is_empty() {
        let mut at = input.place(count(value));
        let Some(place) = find(value, &mut at) else { continue };
        match input.byte() {
            0 => *place = json!(0),
            1 => *place = json!(-1),
            2 => *place = json!(u64::MAX),
            3 => *place = json!(1e308),
            4 => *place = json!(-1e308),
            5 => *place = json!(5e-324),
            6 => *place = Value::Null,
            7 => *place = json!(true),
            8 => *place = json!([]),
            9 => *place = json!({}),
            10 => *place = json!(input.word()),
            // Any number.
            11 => {
                let mut bits = [0; 8];
                bits.iter_mut().for_each(|byte| *byte = input.byte());
                *place = json!(f64::from_le_bytes(bits));
            }
            // Any text.
            12 => *place = json!(String::from_utf8_lossy(input.part().rest())),
            13 => *place = json!("\"|\\\n<&é"),
            14 => *place = json!("x".repeat(input.word())),
            // An entry less, or one of them once more.
            15 => match place {
                Value::Array(entries) => drop(entries.pop()),
                Value::Object(fields) => {
                    let name = fields.keys().next_back().cloned();
                    name.map(|name| fields.remove(&name));
                }
                _ => {}
            },
            _ => {
                if let Value::Array(entries) = place
                    && let Some(last) = entries.last().cloned()
                {
                    entries.push(last);
                }
            }
        }
    }
}

/// The number of values in `value`, itself included.
fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(entries) => entries.iter().map(count).sum(),
        Value::Object(fields) => fields.values().map(count).sum(),
        _ => 0,
    }
}

/// Value number `at` in `value`, which is number 0 itself.
fn find<'v>(value: &'v mut Value, at: &mut usize) -> Option<&'v mut Value> {
    if *at == 0 {
        return Some(value);
    }
    *at -= 1;
    match value {
        Value::Array(entries) => entries.iter_mut().find_map(|entry| find(entry, at)),
        Value::Object(fields) => fields.values_mut().find_map(|field| find(field, at)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edited(program: &[u8]) -> Value {
        let mut value = json!({"a": [1, 2], "b": {"c": 3}});
        edit(&mut value, &mut Input::new(program));
        value
    }

    #[test]
    fn values_are_numbered_from_the_outside() {
        assert_eq!(edited(&[0, 0, 0, 6]), json!(null));
        assert_eq!(edited(&[1, 0, 0, 6]), json!({"a": null, "b": {"c": 3}}));
        assert_eq!(edited(&[3, 0, 0, 1]), json!({"a": [1, -1], "b": {"c": 3}}));
        assert_eq!(edited(&[5, 0, 0, 12, 2, 104, 105]), json!({"a": [1, 2], "b": {"c": "hi"}}));
        assert_eq!(edited(&[6, 0, 0, 6]), json!(null));
    }

    #[test]
    fn entries_come_and_go() {
        assert_eq!(edited(&[1, 0, 0, 15]), json!({"a": [1], "b": {"c": 3}}));
        assert_eq!(edited(&[1, 0, 0, 16]), json!({"a": [1, 2, 2], "b": {"c": 3}}));
        assert_eq!(edited(&[0, 0, 0, 15]), json!({"a": [1, 2]}));
        assert_eq!(edited(&[2, 0, 0, 11, 0, 0, 0, 0, 0, 0, 0xF8, 0x3F])["a"][0], json!(1.5));
    }
}
