//! What types that hold secrets can do and, above all, cannot.

#![allow(missing_docs)]

use ctutils::CtEq;
use iccs_symmetric::{Batch, Drng, DrngSeed, PseudoHash1024, PseudoXof, PseudoXofReader, Reader, Stream};
use pq_common::{Secret, SharedSecret};
use yuanyang_dsa::hazmat::{Attempt, round1};
use zeroize::ZeroizeOnDrop;

/// Does not compile if one of the types has the trait: then two implementations of `HasIt` fit it.
macro_rules! lack {
    ($bound:path: $($kind:ty),*) => {$({
        trait HasIt<Kind> {
            fn ask() {}
        }
        impl<T: ?Sized> HasIt<()> for T {}
        struct Yes;
        impl<T: ?Sized + $bound> HasIt<Yes> for T {}
        <$kind as HasIt<_>>::ask();
    })*};
}

type YuanYangKey = yuanyang_kem::DecapsulationKey<yuanyang_kem::YuanYang512>;
type ZenKey = zen_kem::DecapsulationKey<zen_kem::Zen512>;
type SigningKey = yuanyang_dsa::SigningKey<yuanyang_dsa::YuanYang512>;
type SubmittedKey = round1::SigningKey<yuanyang_dsa::YuanYang512>;
type Shared = SharedSecret<yuanyang_kem::YuanYang512>;
type Bytes = Secret<[u8; 32]>;

#[test]
fn secrets_are_not_copied_by_accident() {
    lack!(Copy: YuanYangKey, ZenKey, SigningKey, SubmittedKey, Shared, Bytes, yuanyang_dsa::SecretBytes);
    lack!(Clone: YuanYangKey, ZenKey, SigningKey, SubmittedKey, Shared, Bytes, yuanyang_dsa::SecretBytes, Drng);
    lack!(Copy: Drng, DrngSeed, Stream, PseudoHash1024, PseudoXof, PseudoXofReader, Batch<'static>, Reader<'static, Drng>);
    lack!(Copy: Attempt<yuanyang_dsa::YuanYang512>);
    lack!(Clone: Batch<'static>, Reader<'static, Drng>, Attempt<yuanyang_dsa::YuanYang512>);
}

#[test]
fn secrets_have_no_comparison_that_stops_early() {
    lack!(PartialEq: YuanYangKey, ZenKey, SigningKey, SubmittedKey, Bytes, yuanyang_dsa::SecretBytes, Drng, DrngSeed);
    fn in_constant_time<T: CtEq>() {}
    in_constant_time::<Bytes>();
    // Its == is the same.
    in_constant_time::<Shared>();
}

#[test]
fn secrets_say_that_they_are_wiped() {
    fn wiped<T: ZeroizeOnDrop>() {}
    wiped::<YuanYangKey>();
    wiped::<ZenKey>();
    wiped::<SigningKey>();
    wiped::<SubmittedKey>();
    wiped::<Shared>();
    wiped::<Bytes>();
    wiped::<yuanyang_dsa::SecretBytes>();
}
