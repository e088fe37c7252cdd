//! Bar charts as SVG.

use std::fmt::Write;

/// What the bars of one colour stand for.
#[derive(Clone, Copy, Debug)]
pub struct Series<'a> {
    /// The name in the legend.
    pub name: &'a str,
    /// The colour.
    pub colour: &'a str,
}

/// One bar: its series, its length and the text beside it.
#[derive(Clone, Debug)]
pub struct Bar {
    /// Index of the series.
    pub series: usize,
    /// The value, positive.
    pub value: f64,
    /// What is written at the end.
    pub text: String,
}

/// Bars that belong together.
#[derive(Clone, Debug)]
pub struct Group {
    /// What they are about.
    pub label: String,
    /// The bars, from top to bottom.
    pub bars: Vec<Bar>,
}

/// How values become lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Ticks at powers of ten.
    Logarithmic,
    /// The bars of a group lie in a row and make up a whole.
    Stacked,
}

const LEFT: f64 = 400.0;
const PLOT: f64 = 540.0;
const RIGHT: f64 = 130.0;
const BAR: f64 = 13.0;
const GAP: f64 = 9.0;
const MARGIN: f64 = 16.0;

/// Draws a chart. `tick` writes the value of a tick.
#[must_use]
pub fn draw(
    title: &str,
    subtitle: &[String],
    series: &[Series<'_>],
    groups: &[Group],
    scale: Scale,
    tick: impl Fn(f64) -> String,
) -> String {
    let rows = |group: &Group| if scale == Scale::Stacked { 1 } else { group.bars.len().max(1) };
    let body: f64 = groups.iter().map(|group| rows(group) as f64 * BAR + GAP).sum();
    // Legend entries stand in lines of at most three.
    let legend_lines = series.len().div_ceil(3) as f64;
    let top = 44.0 + 17.0 * subtitle.len() as f64 + 20.0 * legend_lines + 22.0;
    let (width, height) = (LEFT + PLOT + RIGHT, top + body + 30.0);
    let values = || groups.iter().flat_map(|group| group.bars.iter().map(|bar| bar.value));
    let (low, high) = match scale {
        Scale::Stacked => (0.0, 1.0),
        Scale::Logarithmic => {
            let least = values().fold(f64::INFINITY, f64::min).log10().floor();
            let most = values().fold(0.0, f64::max).log10().ceil();
            if least.is_finite() && most.is_finite() { (least, most.max(least + 1.0)) } else { (0.0, 1.0) }
        }
    };
    let length = |value: f64| match scale {
        Scale::Stacked => value * PLOT,
        Scale::Logarithmic => (value.log10() - low) / (high - low) * PLOT,
    };

    let mut svg = String::new();
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"sans-serif\" font-size=\"11\" fill=\"#222\">"
    );
    let _ = writeln!(svg, "<rect width=\"{width:.0}\" height=\"{height:.0}\" fill=\"#fff\"/>");
    let mut text = |x: f64, y: f64, attributes: &str, content: &str| {
        let content = escape(content);
        let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\"{attributes}>{content}</text>");
    };
    text(MARGIN, 26.0, " font-size=\"16\" font-weight=\"bold\"", title);
    let mut y = 44.0;
    for line in subtitle {
        text(MARGIN, y, " fill=\"#555\"", line);
        y += 17.0;
    }
    let legend = y;
    for (i, series) in series.iter().enumerate() {
        let (column, line) = ((i % 3) as f64, (i / 3) as f64);
        let (x, y) = (MARGIN + 325.0 * column, legend + 20.0 * line + 4.0);
        text(x + 17.0, y + 6.0, "", series.name);
    }
    for (i, series) in series.iter().enumerate() {
        let (x, y) = (MARGIN + 325.0 * (i % 3) as f64, legend + 20.0 * (i / 3) as f64);
        let colour = series.colour;
        let _ =
            writeln!(svg, "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"12\" height=\"12\" fill=\"{colour}\"/>");
    }

    let ticks: Vec<f64> = match scale {
        Scale::Stacked => (0..=4).map(|quarter| f64::from(quarter) / 4.0).collect(),
        Scale::Logarithmic => (low as i32..=high as i32).map(|exponent| 10f64.powi(exponent)).collect(),
    };
    for value in ticks {
        let x = LEFT + length(value);
        let bottom = top + body;
        let _ = writeln!(
            svg,
            "<line x1=\"{x:.1}\" y1=\"{top:.1}\" x2=\"{x:.1}\" y2=\"{bottom:.1}\" stroke=\"#ddd\"/>"
        );
        for y in [top - 5.0, bottom + 14.0] {
            let label = escape(&tick(value));
            let _ = writeln!(
                svg,
                "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\" fill=\"#777\">{label}</text>"
            );
        }
    }

    let mut y = top + GAP / 2.0;
    for group in groups {
        let middle = y + rows(group) as f64 * BAR / 2.0 + 4.0;
        let label = escape(&group.label);
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{middle:.1}\" text-anchor=\"end\">{label}</text>",
            LEFT - 8.0
        );
        let mut x = LEFT;
        for bar in &group.bars {
            let length = length(bar.value).max(0.0);
            let colour = series.get(bar.series).map_or("#000", |series| series.colour);
            let _ = writeln!(
                svg,
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{length:.1}\" height=\"{:.1}\" fill=\"{colour}\"/>",
                BAR - 2.0
            );
            let content = escape(&bar.text);
            if scale == Scale::Stacked {
                if length > 30.0 {
                    let (x, y) = (x + length / 2.0, y + 9.0);
                    let _ = writeln!(
                        svg,
                        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\" fill=\"#fff\" font-size=\"10\">{content}</text>"
                    );
                }
                x += length;
            } else {
                let (x, below) = (x + length + 4.0, y + 9.5);
                let _ =
                    writeln!(svg, "<text x=\"{x:.1}\" y=\"{below:.1}\" font-size=\"10\">{content}</text>");
                y += BAR;
            }
        }
        y += if scale == Scale::Stacked { BAR + GAP } else { GAP };
    }
    svg.push_str("</svg>\n");
    svg
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_follow_the_logarithm_and_text_is_escaped() {
        let bar = |value| Bar { series: 0, value, text: "a < b".to_owned() };
        let groups = [Group { label: "g".to_owned(), bars: vec![bar(10.0), bar(100.0), bar(1000.0)] }];
        let series = [Series { name: "s", colour: "#123456" }];
        let svg = draw("t", &[], &series, &groups, Scale::Logarithmic, |value| value.to_string());
        for length in ["width=\"0.0\"", "width=\"270.0\"", "width=\"540.0\""] {
            assert_eq!(svg.matches(length).count(), 1, "{length}");
        }
        assert_eq!(svg.matches("a &lt; b").count(), 3);
        assert!(!svg.contains("a < b"));
    }

    #[test]
    fn stacked_bars_fill_the_width() {
        let bar = |series, value| Bar { series, value, text: String::new() };
        let groups = [Group { label: "g".to_owned(), bars: vec![bar(0, 0.25), bar(0, 0.75)] }];
        let series = [Series { name: "s", colour: "#123456" }];
        let svg = draw("t", &[], &series, &groups, Scale::Stacked, |value| value.to_string());
        assert!(svg.contains("x=\"400.0\"") && svg.contains("width=\"135.0\""));
        assert!(svg.contains("x=\"535.0\"") && svg.contains("width=\"405.0\""));
    }
}
