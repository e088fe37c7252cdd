//! What the machine tells about itself, and whether absolute figures from it mean anything.

use super::record::Environment;
use std::fs;

fn text(path: &str) -> Option<String> {
    fs::read_to_string(path).ok().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// The value of a line `name : value`, or `name=value`.
fn value(text: &str, name: &str) -> Option<String> {
    let mut lines = text.lines().filter_map(|line| line.split_once([':', '=']));
    lines.find(|(key, _)| key.trim() == name).map(|(_, value)| value.trim().trim_matches('"').to_owned())
}

/// A number of KiB of this process, such as `VmRSS` or `VmHWM`.
#[must_use]
pub fn status(name: &str) -> Option<u64> {
    value(&text("/proc/self/status")?, name)?.split_whitespace().next()?.parse().ok()
}

const CPU: &str = "/sys/devices/system/cpu";

/// The frequency in hertz that times are turned into cycles with where no counter can be had, and what it is.
#[must_use]
pub fn clock() -> Option<(f64, String)> {
    let frequency = |file: &str| text(&format!("{CPU}/cpu0/cpufreq/{file}"))?.parse::<f64>().ok();
    let labelled =
        |hertz: f64, what: &str| (hertz, format!("time x {:.3} GHz ({what}), not core cycles", hertz / 1e9));
    if let Some(kilohertz) = frequency("base_frequency") {
        return Some(labelled(kilohertz * 1e3, "base frequency"));
    }
    let processor = text("/proc/cpuinfo")?;
    if let Some(megahertz) = value(&processor, "cpu MHz").and_then(|megahertz| megahertz.parse::<f64>().ok())
    {
        return Some(labelled(megahertz * 1e6, "clock of the time-stamp counter as the kernel reports it"));
    }
    frequency("cpuinfo_max_freq").map(|kilohertz| labelled(kilohertz * 1e3, "largest frequency"))
}

/// The machine that this program runs on. It says nothing that names the machine.
#[must_use]
pub fn environment() -> Environment {
    let processor = text("/proc/cpuinfo").unwrap_or_default();
    let flags = value(&processor, "flags").unwrap_or_default();
    let os = text("/etc/os-release").and_then(|text| value(&text, "PRETTY_NAME"));
    let turbo = match (text(&format!("{CPU}/intel_pstate/no_turbo")), text(&format!("{CPU}/cpufreq/boost"))) {
        (Some(no), _) => Some(if no == "1" { "off" } else { "on" }.to_owned()),
        (None, Some(boost)) => Some(if boost == "0" { "off" } else { "on" }.to_owned()),
        (None, None) => None,
    };
    let memory = text("/proc/meminfo").and_then(|text| value(&text, "MemTotal"));
    let kib = memory.and_then(|memory| memory.split_whitespace().next()?.parse::<u64>().ok());
    Environment {
        processor: value(&processor, "model name").or_else(|| text("/sys/firmware/devicetree/base/model")),
        architecture: std::env::consts::ARCH.to_owned(),
        cores: std::thread::available_parallelism().ok().map(usize::from),
        clock: clock().map(|(hertz, _)| format!("{:.2} GHz", hertz / 1e9)),
        governor: text(&format!("{CPU}/cpu0/cpufreq/scaling_governor")),
        turbo,
        smt: text(&format!("{CPU}/smt/control")),
        virtual_machine: flags.split(' ').any(|flag| flag == "hypervisor"),
        memory_mib: kib.map(|kib| kib / 1024),
        os,
        kernel: text("/proc/sys/kernel/osrelease"),
        load: text("/proc/loadavg").map(|load| load.split_whitespace().take(3).collect::<Vec<_>>().join(" ")),
        ..Environment::default()
    }
}

/// Why absolute figures from this machine are not to be relied on.
#[must_use]
pub fn warnings(environment: &Environment) -> Vec<String> {
    let mut warnings = Vec::new();
    if environment.virtual_machine {
        warnings.push("It is a virtual machine: neighbours share its cores and caches.".to_owned());
    }
    match environment.turbo.as_deref() {
        Some("off") => {}
        Some(_) => warnings.push("Turbo is on: the clock depends on temperature and load.".to_owned()),
        None => warnings.push("Whether turbo is off cannot be read.".to_owned()),
    }
    match environment.governor.as_deref() {
        Some("performance") => {}
        Some(other) => warnings.push(format!("The frequency governor is {other}, not performance.")),
        None => warnings.push("The frequency governor cannot be read.".to_owned()),
    }
    if matches!(environment.smt.as_deref(), Some("on")) {
        warnings
            .push("Simultaneous multithreading is on: a core may be shared with another thread.".to_owned());
    }
    let load = environment.load.as_deref().and_then(|load| load.split(' ').next()?.parse::<f64>().ok());
    if let Some(load) = load.filter(|load| *load > 0.5) {
        warnings.push(format!("Other work was running at the start: load average {load}."));
    }
    warnings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit() -> Environment {
        let some = |text: &str| Some(text.to_owned());
        Environment {
            turbo: some("off"),
            governor: some("performance"),
            smt: some("off"),
            load: some("0.10 0.20 0.30"),
            ..Environment::default()
        }
    }

    #[test]
    fn a_fit_machine_has_no_warning_and_each_fault_one() {
        assert_eq!(warnings(&fit()), Vec::<String>::new());
        let some = |text: &str| Some(text.to_owned());
        for unfit in [
            Environment { virtual_machine: true, ..fit() },
            Environment { turbo: some("on"), ..fit() },
            Environment { turbo: None, ..fit() },
            Environment { governor: some("powersave"), ..fit() },
            Environment { governor: None, ..fit() },
            Environment { smt: some("on"), ..fit() },
            Environment { load: some("1.70 0.20 0.30"), ..fit() },
        ] {
            assert_eq!(warnings(&unfit).len(), 1, "{unfit:?}");
        }
    }

    #[test]
    fn values_of_lines() {
        let text = "model name\t: Some Processor @ 2 GHz\nPRETTY_NAME=\"An OS 1\"\nVmRSS:\t  1234 kB";
        assert_eq!(value(text, "model name").unwrap(), "Some Processor @ 2 GHz");
        assert_eq!(value(text, "PRETTY_NAME").unwrap(), "An OS 1");
        assert_eq!(value(text, "VmRSS").unwrap(), "1234 kB");
        assert_eq!(value(text, "model"), None);
    }
}
