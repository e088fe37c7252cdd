//! The operations of all sets, each with what is secret in it.

use crate::secrets::Secrets;
use crate::{dsa, kem, symmetric};
use iccs_symmetric::Backend;
use std::hint::black_box;

/// One operation of one parameter set.
pub(crate) struct Operation {
    /// The set.
    pub(crate) set: &'static str,
    /// What is done.
    pub(crate) name: &'static str,
    /// The bytes of stack that it may use in a release build.
    pub(crate) stack: usize,
    /// Why secrets are left, if they are.
    pub(crate) expected: Option<&'static str>,
    /// Makes what the operation needs, on a backend.
    pub(crate) prepare: fn(Backend) -> Case,
}

/// An operation with its inputs.
pub(crate) struct Case {
    /// What must not be left in memory.
    pub(crate) secrets: Secrets,
    /// The operation, or several of the kind, each to be run and looked at on its own.
    pub(crate) runs: Vec<Box<dyn FnOnce() + Send>>,
}

impl Case {
    /// A single run.
    pub(crate) fn new(secrets: Secrets, run: impl FnOnce() + Send + 'static) -> Self {
        Self { secrets, runs: vec![Box::new(run)] }
    }

    /// The same operation once for each of the numbers.
    pub(crate) fn repeated<R: FnOnce() + Send + 'static>(
        secrets: Secrets,
        numbers: impl Iterator<Item = usize>,
        run: impl Fn(usize) -> R,
    ) -> Self {
        Self { secrets, runs: numbers.map(|number| Box::new(run(number)) as _).collect() }
    }
}

/// Everything that touches secrets.
pub(crate) fn all() -> Vec<Operation> {
    let mut all = symmetric::operations();
    all.extend(kem::operations());
    all.extend(dsa::operations());
    all
}

/// A buffer that the operation leaves or wipes.
pub(crate) struct Control {
    /// What it does.
    pub(crate) name: &'static str,
    /// Whether something must be found.
    pub(crate) leaves: bool,
    run: fn(&[u8; 32]),
}

/// What is not wiped must be found, and what is wiped must not.
pub(crate) const CONTROLS: [Control; 4] = [
    Control { name: "heap, not wiped", leaves: true, run: |secret| drop(black_box(Box::new(*secret))) },
    Control { name: "stack, not wiped", leaves: true, run: |secret| use_stack(secret, |_| ()) },
    Control { name: "heap, wiped", leaves: false, run: use_heap },
    Control { name: "stack, wiped", leaves: false, run: |secret| use_stack(secret, wipe) },
];

const SECRET: [u8; 32] = *b"a secret that is nowhere else...";

impl Control {
    pub(crate) fn prepare(&self) -> Case {
        let mut secrets = Secrets::default();
        secrets.add_bytes("control", &SECRET);
        let run = self.run;
        Case::new(secrets, move || run(black_box(&SECRET)))
    }
}

fn wipe(bytes: &mut [u8; 32]) {
    pq_common::wipe(black_box(bytes));
}

fn use_heap(secret: &[u8; 32]) {
    let mut copy = Box::new([0; 32]);
    copy.copy_from_slice(secret);
    wipe(&mut copy);
}

#[inline(never)]
fn use_stack(secret: &[u8; 32], end: fn(&mut [u8; 32])) {
    let mut copy = [0; 32];
    copy.copy_from_slice(secret);
    end(black_box(&mut copy));
}
