//! Numbers as the published tables print them.

/// Three significant digits without trailing zeros: 138, 8.16, 7, 9.4e+03.
#[must_use]
pub fn three(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return if value == 0.0 { "0".to_owned() } else { "-".to_owned() };
    }
    // The exponent after rounding to three digits.
    let scientific = format!("{value:.2e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trim = |digits: &str| {
        if digits.contains('.') {
            digits.trim_end_matches('0').trim_end_matches('.').to_owned()
        } else {
            digits.to_owned()
        }
    };
    if (-4..3).contains(&exponent) {
        let decimals = usize::try_from(2 - exponent).unwrap_or(0);
        trim(&format!("{value:.decimals$}"))
    } else {
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{}e{sign}{:02}", trim(mantissa), exponent.abs())
    }
}

/// A time with its unit: 68.7 µs, 4.3 ms.
#[must_use]
pub fn time(seconds: f64) -> String {
    for (scale, unit) in [(1e9, "ns"), (1e6, "µs"), (1e3, "ms")] {
        // 999.5 would become a thousand.
        if seconds * scale < 999.5 {
            return format!("{} {unit}", three(seconds * scale));
        }
    }
    format!("{} s", three(seconds))
}

/// Cycles: 950, 505.6 k, 17.05 M, 1.20 G.
#[must_use]
pub fn cycles(count: f64) -> String {
    if count < 999.5 {
        format!("{count:.0}")
    } else if count < 999_950.0 {
        format!("{:.1} k", count / 1e3)
    } else if count < 999_995_000.0 {
        format!("{:.2} M", count / 1e6)
    } else {
        format!("{:.2} G", count / 1e9)
    }
}

/// A share in percent: 8.1%, 23%, 0.0%.
#[must_use]
pub fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    if percent < 9.95 { format!("{percent:.1}%") } else { format!("{percent:.0}%") }
}

/// A figure in u, or a factor: 8.13, 52.4, 1290.
#[must_use]
pub fn units(value: f64) -> String {
    if value < 9.995 {
        format!("{value:.2}")
    } else if value < 999.95 {
        format!("{value:.1}")
    } else {
        format!("{value:.0}")
    }
}

/// A moment in seconds since 1970 as UTC: 2026-09-25T10:02:21.
#[must_use]
pub fn utc(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Years that begin in March put the day of the leap year at their end; 400 of them have 146097 days.
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    // Months from March on have 153 days in five.
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = era * 400 + year_of_era + carry;
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_significant_digits() {
        for (value, text) in [
            (138.4, "138"),
            (8.163, "8.16"),
            (7.0, "7"),
            (4.3, "4.3"),
            (9397.0, "9.4e+03"),
            (7262.11, "7.26e+03"),
            (14556.0, "1.46e+04"),
            (121.7, "122"),
            (23.49, "23.5"),
            (0.000_012_34, "1.23e-05"),
            (0.001_234, "0.00123"),
            (999.6, "1e+03"),
            (9.996, "10"),
            (0.0, "0"),
        ] {
            assert_eq!(three(value), text);
        }
    }

    #[test]
    fn times_take_the_largest_unit_that_fits() {
        for (seconds, text) in [
            (137.7e-6, "138 µs"),
            (68.72e-6, "68.7 µs"),
            (0.0043, "4.3 ms"),
            (0.007, "7 ms"),
            (0.0426, "42.6 ms"),
            (999.6e-9, "1 µs"),
            (999.4e-9, "999 ns"),
            (2.5, "2.5 s"),
        ] {
            assert_eq!(time(seconds), text);
        }
    }

    #[test]
    fn cycles_in_thousands_and_millions() {
        for (count, text) in [
            (288_256.9, "288.3 k"),
            (505_600.0, "505.6 k"),
            (17_050_000.0, "17.05 M"),
            (1_070_000.0, "1.07 M"),
            (999_960.0, "1.00 M"),
            (999_940.0, "999.9 k"),
            (999.4, "999"),
            (999.6, "1.0 k"),
            (1.2e9, "1.20 G"),
        ] {
            assert_eq!(cycles(count), text);
        }
    }

    #[test]
    fn percents_and_units() {
        let shares = [(0.081, "8.1%"), (0.2340, "23%"), (0.0, "0.0%"), (0.0996, "10%"), (0.0994, "9.9%")];
        for (share, text) in shares {
            assert_eq!(percent(share), text);
        }
        for (value, text) in [(8.126, "8.13"), (52.44, "52.4"), (1290.3, "1290"), (999.96, "1000")] {
            assert_eq!(units(value), text);
        }
    }

    #[test]
    fn moments() {
        assert_eq!(utc(0), "1970-01-01T00:00:00");
        assert_eq!(utc(951_782_399), "2000-02-28T23:59:59");
        assert_eq!(utc(951_782_400), "2000-02-29T00:00:00");
        assert_eq!(utc(1_790_330_541), "2026-09-25T10:02:21");
        assert_eq!(utc(4_107_542_400), "2100-03-01T00:00:00");
    }
}
