//! Secrets in the forms in which they may lie in memory, and the search for them.

/// A value of a secret array.
pub(crate) trait Number: Copy {
    /// The bytes that it has in memory.
    fn bytes(self) -> impl AsRef<[u8]>;
    /// About how many bits tell it from other values of the kind: one for the sign, and those of the magnitude. None for zero,
    /// which is everywhere.
    fn bits(self) -> u32;
}

macro_rules! number {
    ($($number:ty)*) => {$(
        impl Number for $number {
            fn bytes(self) -> impl AsRef<[u8]> {
                self.to_ne_bytes()
            }

            fn bits(self) -> u32 {
                i128::from(self).unsigned_abs().checked_ilog2().map_or(0, |log| log + 2)
            }
        }
    )*};
}

/// For small integers as doubles.
impl Number for f64 {
    fn bytes(self) -> impl AsRef<[u8]> {
        self.to_ne_bytes()
    }

    fn bits(self) -> u32 {
        (self as i64).bits()
    }
}

number!(i8 i16 i32 i64 u8 u32 u64);

/// A window of this many bits is not in memory by chance: it is compared at some million places.
const BITS: u32 = 28;

/// The shortest window in bytes.
const SHORTEST: usize = 8;

/// Where a secret was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Find {
    /// Which secret.
    pub(crate) name: &'static str,
    /// Where it begins in the searched bytes.
    pub(crate) offset: usize,
    /// How many bytes of it there are in a row.
    pub(crate) length: usize,
}

/// Pieces of secrets, each long enough not to occur by chance.
#[derive(Default)]
pub(crate) struct Secrets {
    arrays: Vec<(&'static str, Vec<u8>)>,
    windows: Vec<Window>,
    /// Bit k is set if some window has the hash k.
    filter: Vec<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Window {
    /// The first eight bytes.
    start: u64,
    array: u32,
    offset: u32,
    length: u32,
}

/// The logarithm of the size of the filter in bits.
const FILTER: u32 = 24;

fn hash(start: u64) -> (usize, u64) {
    let hash = start.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - FILTER);
    ((hash >> 6) as usize, 1 << (hash & 63))
}

fn first_eight(bytes: &[u8]) -> u64 {
    u64::from_ne_bytes(*bytes.first_chunk().expect("a window is not shorter"))
}

impl Secrets {
    /// Adds an array as it is: every piece of consecutive elements that is long enough.
    pub(crate) fn add<T: Number>(&mut self, name: &'static str, array: &[T]) {
        let bytes: Vec<u8> = array.iter().flat_map(|x| x.bytes().as_ref().to_vec()).collect();
        for (first, x) in array.iter().enumerate().filter(|(_, x)| x.bits() > 0) {
            let (mut bits, mut last) = (x.bits(), first);
            while bits < BITS || (last + 1 - first) * size_of::<T>() < SHORTEST {
                last += 1;
                bits += array.get(last).map_or(0, |x| x.bits());
                if last == array.len() {
                    break;
                }
            }
            if last < array.len() {
                let offset = first * size_of::<T>();
                self.windows.push(Window {
                    start: first_eight(&bytes[offset..]),
                    array: self.arrays.len() as u32,
                    offset: offset as u32,
                    length: ((last + 1 - first) * size_of::<T>()) as u32,
                });
            }
        }
        self.arrays.push((name, bytes));
    }

    /// Adds bytes as they are, and as the words that SM3 makes of them at every alignment.
    pub(crate) fn add_bytes(&mut self, name: &'static str, bytes: &[u8]) {
        self.add(name, bytes);
        for skipped in 0..bytes.len().min(4) {
            let words = bytes[skipped..].as_chunks().0.iter().map(|word| u32::from_be_bytes(*word));
            self.add(name, &words.collect::<Vec<_>>());
        }
    }

    /// Adds small coefficients in every width.
    pub(crate) fn add_small(&mut self, name: &'static str, small: &[i8]) {
        self.add(name, small);
        self.add(name, &small.iter().map(|&x| x.into()).collect::<Vec<i16>>());
        self.add(name, &small.iter().map(|&x| x.into()).collect::<Vec<i32>>());
        self.add(name, &small.iter().map(|&x| x.into()).collect::<Vec<i64>>());
    }

    /// Removes what is public after all.
    pub(crate) fn forget(&mut self, public: &[u8]) {
        let mut known = Self::default();
        known.add_bytes("", public);
        let mut starts: Vec<u64> = known.windows.iter().map(|window| window.start).collect();
        starts.sort_unstable();
        self.windows.retain(|window| starts.binary_search(&window.start).is_err());
    }

    /// Sorts the windows for the search.
    pub(crate) fn prepare(&mut self) {
        self.windows.sort_unstable();
        self.filter = vec![0; 1 << (FILTER - 6)];
        for window in &self.windows {
            let (word, bit) = hash(window.start);
            self.filter[word] |= bit;
        }
    }

    /// The secrets in `memory`: runs of windows that touch each other, under the name of the first.
    pub(crate) fn find(&self, memory: &[u8]) -> Vec<Find> {
        let mut finds: Vec<Find> = Vec::new();
        for (offset, start) in memory.windows(SHORTEST).enumerate() {
            let start = first_eight(start);
            let (word, bit) = hash(start);
            if self.filter[word] & bit == 0 {
                continue;
            }
            let from = self.windows.partition_point(|window| window.start < start);
            let candidates = self.windows[from..].iter().take_while(|window| window.start == start);
            let found = candidates.filter_map(|window| {
                let (name, array) = &self.arrays[window.array as usize];
                let length = window.length as usize;
                let piece = &array[window.offset as usize..][..length];
                memory[offset..].starts_with(piece).then_some((*name, length))
            });
            let Some((name, length)) = found.max_by_key(|(_, length)| *length) else { continue };
            match finds.last_mut() {
                Some(last) if offset <= last.offset + last.length => {
                    last.length = last.length.max(offset + length - last.offset);
                }
                _ => finds.push(Find { name, offset, length }),
            }
        }
        finds
    }
}
