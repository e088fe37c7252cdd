//! Keys and signatures of YuanYang.DSA, and its keys in use for key encapsulation.
//!
//! An input begins with the number of the set, the number of a key of the pool, and a [`Base`].

use crate::input::{Edit, Input, edit};
use crate::kem::{BASES, Base, modulus};
use crate::layout;
use crate::pool::made_once;
use iccs_symmetric::Drng;
use pq_common::{Array, Backend, Error};
use signature::MultipartVerifier;
use test_support::vectors::{bytes, cases, load};
use yuanyang_dsa::hazmat::round1;
use yuanyang_dsa::{Signature, SigningKey, Variant, VerifyingKey};
use yuanyang_kem::{DecapsulationKey, EncapsulationKey, Params, YuanYang512, YuanYang1024, YuanYang2048};

/// The set of the signature scheme that belongs to a set of the key encapsulation mechanism.
type Dsa<P> = <P as Params>::Dsa;

/// d.
fn degree<P: Params>() -> usize {
    32 * P::SharedSecretBytes::LEN
}

fn q<P: Params>() -> u64 {
    modulus(P::SharedSecretBytes::LEN)
}

/// The key pairs that inputs are made from: one of the corrected key generation, and one as submitted.
struct Pool<P: Params>([Pair<P>; 2]);

struct Pair<P: Params> {
    secret: Vec<u8>,
    public: Vec<u8>,
    /// On every backend.
    keys: Vec<VerifyingKey<Dsa<P>>>,
    signed: Vec<Signed>,
}

struct Signed {
    message: Vec<u8>,
    signature: Vec<u8>,
}

fn pool<P: Params>() -> &'static [Pair<P>; 2] {
    let make = || {
        let corrected = load("corrected-yuanyang-dsa-sign.json");
        let round1 = load("round1-yuanyang-dsa-sign.json");
        let degree = degree::<P>() as u64;
        let of_set = |list| {
            cases(list, if list == &corrected { "records" } else { "sets" })
                .iter()
                .find(|entry| entry["set"] == degree)
                .expect("every set is there")
        };
        let pair = |entry, signed: Vec<Signed>| {
            let public = bytes(entry, "pk");
            let parse =
                |backend| VerifyingKey::from_bytes_with_backend(&public, backend).expect("a good key");
            Pair {
                keys: Backend::available().map(parse).collect(),
                secret: bytes(entry, "sk"),
                signed,
                public,
            }
        };
        let record = of_set(&corrected);
        let signed = cases(record, "signatures")
            .iter()
            .map(|case| Signed { message: bytes(case, "msg"), signature: bytes(case, "sig") });
        let official = of_set(&round1);
        let record_0 =
            Signed { message: bytes(official, "message"), signature: bytes(official, "signature") };
        Pool([pair(record, signed.collect()), pair(official, vec![record_0])])
    };
    &made_once(make).0
}

macro_rules! for_set {
    ($input:ident, $function:ident) => {
        match $input.below(3) {
            0 => $function::<YuanYang512>($input),
            1 => $function::<YuanYang1024>($input),
            _ => $function::<YuanYang2048>($input),
        }
    };
}

/// The target `dsa_verifying_key`.
pub fn fuzz_verifying_key(data: &[u8]) {
    let mut input = Input::new(data);
    for_set!(input, fuzz_verifying_key_of);
}

fn fuzz_verifying_key_of<P: Params>(mut input: Input<'_>) {
    let pool = pool::<P>();
    let key = input.below(2);
    let bytes = match BASES[input.below(3)] {
        Base::Raw => input.rest().to_vec(),
        _ => edit(pool[key].public.clone(), &pool[1 - key].public, q::<P>().pow(4), &mut input),
    };
    verifying_key::<P>(&bytes);
}

/// A public key is accepted exactly if it has the right length, begins with q and is canonical. If so, it is its own encoding and
/// that of a public key of the KEM, and the signatures of the pool verify under it, on every backend, exactly if it is the key that
/// they were made with.
pub fn verifying_key<P: Params>(bytes: &[u8]) {
    let refusal = if bytes.len() != VerifyingKey::<Dsa<P>>::LEN {
        Some(Error::Length)
    } else {
        let (prefix, packed) = bytes.split_at(2);
        let canonical = prefix == (q::<P>() as u16).to_le_bytes()
            && layout::is_packed_yuanyang(packed, degree::<P>(), q::<P>());
        (!canonical).then_some(Error::Encoding)
    };
    for backend in Backend::available() {
        let parsed = VerifyingKey::<Dsa<P>>::from_bytes_with_backend(bytes, backend);
        assert_eq!(parsed.as_ref().err(), refusal.as_ref(), "{backend}");
        let Ok(key) = parsed else { continue };
        assert_eq!(key.as_bytes(), bytes, "{backend}");
        let as_kem = EncapsulationKey::<P>::from_verifying_key(&key);
        assert_eq!(as_kem.as_bytes(), &bytes[2..]);
        assert_eq!(EncapsulationKey::<P>::from_bytes(&bytes[2..]).as_ref(), Ok(&as_kem));
        for pair in pool::<P>() {
            for signed in &pair.signed {
                let signature = Signature::from_bytes(&signed.signature).expect("the right length");
                let verdict = key.verify(&signed.message, &signature);
                assert_eq!(verdict.is_ok(), pair.public == bytes, "{backend}");
            }
        }
    }
}

/// The target `dsa_signing_key`.
pub fn fuzz_signing_key(data: &[u8]) {
    let mut input = Input::new(data);
    for_set!(input, fuzz_signing_key_of);
}

fn fuzz_signing_key_of<P: Params>(mut input: Input<'_>) {
    let pool = pool::<P>();
    let key = input.below(2);
    let good = pool[key].secret.clone();
    let good = match BASES[input.below(3)] {
        Base::Raw => return signing_key::<P>(input.rest(), &[]),
        Base::Pool => good,
        Base::Equivalent => rotated::<P>(&good, input.word()),
    };
    let other = &pool[1 - key].secret;
    let bytes = edit(good.clone(), other, q::<P>().pow(4), &mut input);
    signing_key::<P>(&bytes, &[&good, other]);
}

/// The key with the basis (f, g) X^k, (F, G) X^-k, for which u is multiplied by X^-2k. A and Sigma_delta stay as they are, and are
/// wrong now.
fn rotated<P: Params>(secret: &[u8], k: usize) -> Vec<u8> {
    let d = degree::<P>();
    let (h, rest) = secret.split_at(packed_len::<P>());
    let (small, rest) = rest.split_at(4 * d);
    let (u, rest) = rest.split_at(2 * d);
    let back = 2 * d - k % (2 * d);
    let mut bytes = h.to_vec();
    for (polynomial, k) in small.chunks(d).zip([k, k, back, back]) {
        let signed: Vec<_> = polynomial.iter().map(|&byte| byte as i8).collect();
        bytes.extend(layout::rotated(&signed, k, false).into_iter().map(|x| x as u8));
    }
    let signed: Vec<_> = u.as_chunks().0.iter().map(|&bytes| i16::from_le_bytes(bytes)).collect();
    bytes.extend(layout::rotated(&signed, 2 * back, false).into_iter().flat_map(i16::to_le_bytes));
    bytes.extend(rest);
    bytes
}

/// The bytes of h.
fn packed_len<P: Params>() -> usize {
    VerifyingKey::<Dsa<P>>::LEN - 2
}

/// A secret key is accepted by the signer as submitted exactly if it has the right length and h is canonical; it is then its own
/// encoding. The corrected signer accepts it exactly if h, the basis and u are also those of one of the `good` keys (without any,
/// this is not known), and keeps these; what it replaces depends on nothing else. Both agree on the key for the KEM. All this is
/// the same on every backend.
pub fn signing_key<P: Params>(bytes: &[u8], good: &[&[u8]]) {
    let d = degree::<P>();
    let (small, u) = (packed_len::<P>(), packed_len::<P>() + 4 * d);
    let kept = u + 2 * d;
    let unreadable = if bytes.len() != SigningKey::<Dsa<P>>::LEN {
        Some(Error::Length)
    } else {
        (!layout::is_packed_yuanyang(&bytes[..small], d, q::<P>())).then_some(Error::Encoding)
    };
    let refusal = unreadable.or_else(|| {
        let large = |&bytes: &[u8; 2]| i16::from_le_bytes(bytes).unsigned_abs() > 1024;
        if bytes[small..u].contains(&0x80) || bytes[u..kept].as_chunks().0.iter().any(large) {
            return Some(Error::Encoding);
        }
        let same = |good: &&[u8]| good[..kept] == bytes[..kept];
        let is_good = if good.is_empty() {
            SigningKey::<Dsa<P>>::from_bytes_with_backend(bytes, Backend::SCALAR).is_ok()
        } else {
            good.iter().any(same)
        };
        (!is_good).then_some(Error::Inconsistent)
    });

    let (mut first, mut first_as_kem) = (None, None);
    for backend in Backend::available() {
        let submitted = round1::SigningKey::<Dsa<P>>::from_bytes_with_backend(bytes, backend);
        assert_eq!(submitted.as_ref().err(), unreadable.as_ref(), "{backend}");
        let corrected = SigningKey::<Dsa<P>>::from_bytes_with_backend(bytes, backend);
        assert_eq!(corrected.as_ref().err(), refusal.as_ref(), "{backend}");
        let Ok(submitted) = submitted else { continue };
        assert_eq!(*submitted.to_bytes(), *bytes, "{backend}");
        let public = submitted.verifying_key().clone();
        assert_eq!(&public.as_bytes()[2..], &bytes[..small], "{backend}");
        let as_kem = key_for_kem::<P, _>(backend, &submitted, bytes);
        assert!(as_kem.is_ok() || as_kem == Err(Error::Inconsistent), "{backend}");
        assert_eq!(*first_as_kem.get_or_insert_with(|| as_kem.clone()), as_kem, "{backend}");

        let again = submitted.into_corrected();
        assert_eq!(again.as_ref().err(), refusal.as_ref(), "{backend}");
        let (Ok(corrected), Ok(again)) = (corrected, again) else { continue };
        let encoding = corrected.to_bytes();
        assert_eq!(encoding[..kept], bytes[..kept], "{backend}");
        assert_eq!(*again.to_bytes(), *encoding, "{backend}");
        assert_eq!(*first.get_or_insert_with(|| encoding.to_vec()), *encoding, "{backend}");
        assert_eq!(*corrected.verifying_key(), public, "{backend}");
        assert_eq!(key_for_kem::<P, _>(backend, &corrected, bytes), as_kem, "{backend}");
    }
}

/// The encoding of the key for the KEM, if there is one: it is refused if f is even or too large, and otherwise can be imported
/// and used.
fn key_for_kem<P: Params, V: Variant>(
    backend: Backend,
    key: &SigningKey<Dsa<P>, V>,
    bytes: &[u8],
) -> Result<Vec<u8>, Error> {
    let f = &bytes[packed_len::<P>()..][..degree::<P>()];
    let is_odd = f.iter().fold(0, |sum, x| sum ^ x) & 1 == 1;
    let is_small = f.iter().all(|&x| (-16..=16).contains(&(x as i8)));
    let key = DecapsulationKey::<P>::from_signing_key_with_backend(key, backend);
    assert!(is_odd && is_small || key.is_err());
    let encoding = key?.to_bytes().as_slice().to_vec();
    let imported = DecapsulationKey::<P>::from_bytes_with_backend(&encoding, backend).expect("a good key");
    assert_eq!(imported.to_bytes().as_slice(), encoding);
    let (ciphertext, sent) = imported.encapsulation_key().encapsulate_with_rng(&mut Drng::new(bytes));
    assert_eq!(imported.decapsulate(&ciphertext), sent);
    Ok(encoding)
}

/// The target `dsa_signature`.
pub fn fuzz_signature(data: &[u8]) {
    let mut input = Input::new(data);
    for_set!(input, fuzz_signature_of);
}

fn fuzz_signature_of<P: Params>(mut input: Input<'_>) {
    let key = input.below(2);
    let (base, pair) = (BASES[input.below(3)], &pool::<P>()[key]);
    let signed = &pair.signed[input.below(pair.signed.len())];
    let other = &pair.signed[input.below(pair.signed.len())];
    let message = edit(signed.message.clone(), &other.message, 0, &mut input.part());
    let mut cuts: Vec<_> =
        input.part().rest().iter().map(|&cut| usize::from(cut) % (message.len() + 1)).collect();
    cuts.extend([0, message.len()]);
    cuts.sort_unstable();
    let parts: Vec<_> = cuts.windows(2).map(|cut| &message[cut[0]..cut[1]]).collect();
    match base {
        Base::Raw => signature::<P>(key, &parts, input.rest()),
        Base::Pool => {
            signature::<P>(key, &parts, &edit(signed.signature.clone(), &other.signature, 0, &mut input))
        }
        Base::Equivalent => {
            // Other coefficients under the same salt.
            let mut s1 = decompressed::<P>(&signed.signature).expect("it verifies");
            while !input.is_empty() {
                let at = input.place(s1.len());
                s1[at] = i32::from(input.word() as u16 as i16);
            }
            let salt_len = salt_len::<P>();
            let made = Signature::<Dsa<P>>::compress(&signed.signature[..salt_len], &s1);
            // What does not fit cannot be written; what can be is read again.
            if let Some(made) = made {
                assert_eq!(decompressed::<P>(made.as_bytes()), Some(s1));
                signature::<P>(key, &parts, made.as_bytes());
            }
        }
    }
}

fn salt_len<P: Params>() -> usize {
    match degree::<P>() {
        512 => 26,
        1024 => 42,
        _ => 72,
    }
}

fn decompressed<P: Params>(signature: &[u8]) -> Option<Vec<i32>> {
    let signature = Signature::<Dsa<P>>::from_bytes(signature).ok()?;
    Some(signature.decompress()?.into_iter().map(i32::from).collect())
}

/// A signature verifies for key number `key` of the pool exactly if the pool has it with the concatenation of `parts` as its
/// message, on every backend, however the message is cut. If its body can be read, the coefficients give the same bytes again.
pub fn signature<P: Params>(key: usize, parts: &[&[u8]], bytes: &[u8]) {
    let (pair, message) = (&pool::<P>()[key], parts.concat());
    let parsed = Signature::<Dsa<P>>::from_bytes(bytes);
    let wrong = (bytes.len() != Signature::<Dsa<P>>::LEN).then_some(Error::Length);
    assert_eq!(parsed.as_ref().err(), wrong.as_ref());
    let Ok(parsed) = parsed else { return };
    assert_eq!(parsed.as_bytes(), bytes);
    let genuine = pair.signed.iter().any(|signed| signed.message == message && signed.signature == bytes);
    for key in &pair.keys {
        assert_eq!(key.verify(&message, &parsed).is_ok(), genuine);
        assert_eq!(key.multipart_verify(parts, &parsed).is_ok(), genuine);
    }
    match decompressed::<P>(bytes) {
        Some(s1) => {
            let again = Signature::<Dsa<P>>::compress(&bytes[..salt_len::<P>()], &s1);
            assert_eq!(again, Some(parsed));
        }
        None => assert!(!genuine),
    }
}

/// Seeds that set f to 1 and h to 0, which makes a key for the KEM but no basis, for every set; and an f that is too large for
/// that.
pub(crate) fn signing_key_seeds() -> Vec<Vec<u8>> {
    fn of<P: Params>(set: u8) -> [Vec<u8>; 2] {
        let place = |at: usize| (at as u32).to_le_bytes()[..3].to_vec();
        let (h, d) = (packed_len::<P>(), degree::<P>());
        let fill = |at: usize, length: usize| {
            [vec![Edit::Fill as u8], place(at), (length as u16).to_le_bytes().to_vec(), vec![0]].concat()
        };
        let set_byte = |at: usize, value: u8| [vec![Edit::SetByte as u8], place(at), vec![value]].concat();
        let head = vec![set, 0, Base::Pool as u8];
        [1, 17].map(|f| [head.clone(), fill(0, h + d), set_byte(h, f)].concat())
    }
    [of::<YuanYang512>(0), of::<YuanYang1024>(1), of::<YuanYang2048>(2)].concat()
}
