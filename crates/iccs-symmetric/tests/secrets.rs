//! Secrets are not printed, and are gone after drop.

#![allow(clippy::integer_division_remainder_used, reason = "nothing here is secret")]

use iccs_symmetric::digest::{ExtendableOutput, Update, XofReader};
use iccs_symmetric::rand_core::Rng;
use iccs_symmetric::{
    Backend, Batch, Beside, Drng, DrngSeed, Fork, PseudoHash1024, PseudoXof, Reader, Stream, block,
};
use std::mem::MaybeUninit;

const SECRET: [u8; 64] = [0xab; 64];

/// Every type prints its name and at most the backend.
#[test]
fn debug_output_holds_no_secret() {
    let mut stream = Stream::new();
    stream.update(&SECRET[..63]);
    let mut hash = PseudoHash1024::default();
    hash.update(&SECRET[..63]);
    let mut xof = PseudoXof::default();
    xof.update(&SECRET[..63]);
    let mut batch = Batch::<1>::new(Backend::detect());
    batch.push(&block::INITIAL, [&SECRET], &mut []);
    let mut drng = Drng::new(&SECRET);
    let mut printed = vec![
        format!("{stream:?}"),
        format!("{hash:?}"),
        format!("{xof:?}"),
        format!("{batch:?}"),
        format!("{:?}", Beside::new(&[SECRET])),
        format!("{:?}", Fork::new(Backend::detect(), [&SECRET, &SECRET], &SECRET, 64)),
        format!("{drng:?}"),
        format!("{:?}", DrngSeed(SECRET)),
        format!("{:#?}", xof.finalize_xof()),
    ];
    let mut reader = Reader::new(&mut drng);
    reader.byte().unwrap();
    printed.push(format!("{reader:?}"));
    for text in printed {
        assert!((4..80).contains(&text.len()), "{text}");
        // The name of the backend is public and may have digits.
        let rest = text.replace(&format!("{:?}", Backend::detect().kind()), "");
        let digits = rest.chars().filter(char::is_ascii_digit).count();
        assert!(digits == 0 && !rest.to_lowercase().contains("0xab"), "{text}");
    }
}

/// Makes a value with `make` in a place of its own, drops it there, and returns the bytes before and after.
fn bytes_around_drop<T>(make: impl FnOnce() -> T) -> [Vec<u8>; 2] {
    let mut place = MaybeUninit::<T>::zeroed();
    let bytes_of = |place: &MaybeUninit<T>| -> Vec<u8> {
        let start = place.as_ptr().cast::<u8>();
        // SAFETY: the bytes belong to `place`; they are read one by one, volatile, and those of
        // padding were zeroed before.
        (0..size_of::<T>()).map(|i| unsafe { start.add(i).read_volatile() }).collect()
    };
    // SAFETY: `place` may hold any T, and gets dropped once.
    unsafe { place.as_mut_ptr().write(make()) };
    let before = bytes_of(&place);
    // SAFETY: `place` holds the T that was just written, and it is not used as one again.
    unsafe { place.assume_init_drop() };
    [before, bytes_of(&place)]
}

/// No eight bytes in a row that differ from zero and were there before the drop are there after it.
fn assert_wiped<T>(secret_bytes: usize, make: impl FnOnce() -> T) {
    let [before, after] = bytes_around_drop(make);
    let wiped = before.iter().zip(&after).filter(|(before, after)| **before != 0 && **after == 0).count();
    assert!(wiped + wiped / 32 + 2 >= secret_bytes, "{}: {wiped} bytes", std::any::type_name::<T>());
    for window in before.windows(8).zip(after.windows(8)).filter(|(before, _)| !before.contains(&0)) {
        assert_ne!(window.0, window.1, "{}", std::any::type_name::<T>());
    }
}

#[test]
fn nothing_is_left_after_drop() {
    let backend = Backend::SCALAR;
    assert_wiped(64, || DrngSeed(SECRET));
    // V and C, which comes with the first request.
    assert_wiped(110, || {
        let mut drng = Drng::with_backend(backend, &SECRET);
        drng.fill_bytes(&mut []);
        drng
    });
    // A chaining value and 63 bytes of a block.
    assert_wiped(95, || {
        let mut stream = Stream::new();
        stream.update(&[0xab; 127]);
        stream
    });
    // Two chaining values and 65 bytes.
    assert_wiped(129, || {
        let mut hash = PseudoHash1024::new(backend);
        hash.update(&[0xab; 127]);
        hash
    });
    assert_wiped(95, || {
        let mut xof = PseudoXof::new(backend);
        xof.update(&[0xab; 127]);
        xof
    });
    // A chaining value, the tail of the message, and a block of output.
    assert_wiped(32 + 40 + 32, || {
        let mut xof = PseudoXof::new(backend);
        xof.update(&[0xab; 104]);
        let mut reader = xof.finalize_xof();
        reader.read(&mut [0]);
        reader
    });
    assert_wiped(7 * 64, || {
        let mut batch = Batch::<1>::new(backend);
        for _ in 0..7 {
            batch.push(&block::INITIAL, [&SECRET], &mut []);
        }
        batch
    });
    // Two keys.
    assert_wiped(128, || Fork::new(backend, [&SECRET, &SECRET], &[], 64));
    let mut drng = Drng::with_backend(backend, &SECRET);
    assert_wiped(1010, || {
        let mut reader = Reader::new(&mut drng);
        reader.byte().unwrap();
        reader
    });
    // The reader wiped its own buffer, not the generator behind it.
    assert_ne!(drng.next_u64(), 0);
}
