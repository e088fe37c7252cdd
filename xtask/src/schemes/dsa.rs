//! YuanYang.DSA.

use super::{Failure, Kind, Scheme, Set};
use crate::kat::procedure::Input;
use crate::kat::text::{Field, Record};
use iccs_symmetric::Drng;
use pq_common::Backend;
use rand_core::Rng;
use std::marker::PhantomData;
use yuanyang_dsa::hazmat::round1::SigningKey;
use yuanyang_dsa::{Params, Signature, VerifyingKey, YuanYang512, YuanYang1024, YuanYang2048};

/// The sets of YuanYang.DSA.
pub(super) fn all() -> [Box<dyn Scheme>; 3] {
    let set = |label, file, canonical_sha256, file_sha256| Set {
        id: "sign-34",
        scheme: "yuanyang-dsa",
        label,
        file,
        kind: Kind::Signature,
        canonical_sha256,
        file_sha256,
    };
    [
        Box::new(Dsa::<YuanYang512> {
            set: set(
                YuanYang512::NAME,
                "yuanyang-dsa-512.txt",
                "4f14c22e72e0cbd3e6888c06a0091748b05a00acf4f1206d34a171736d38d16f",
                "5cc44a6c8a7f02ca60a02a9e99e60159d3b76635e08de3e37ba0fc70e6b324fb",
            ),
            degree: 512,
            trials: [23, 2, 90, 22, 28, 88, 20, 17, 54, 90],
            parameters: PhantomData,
        }),
        Box::new(Dsa::<YuanYang1024> {
            set: set(
                YuanYang1024::NAME,
                "yuanyang-dsa-1024.txt",
                "8c90be813b9bee3ea7cea90e4223d8ae02e7114e1856915b1ddb2f6a7cb86a37",
                "b19aab55c16d5ca7811222ed360dda64c1924e2e62b35e7f453ee436e359210e",
            ),
            degree: 1024,
            trials: [7, 11, 3, 27, 9, 15, 12, 10, 3, 3],
            parameters: PhantomData,
        }),
        Box::new(Dsa::<YuanYang2048> {
            set: set(
                YuanYang2048::NAME,
                "yuanyang-dsa-2048.txt",
                "60cde62d5c531311fbf07033ffacbec98d56aaf7a0896c4eea20ad9927388888",
                "9b3a2a6ae231bcf8f72e2bb6a9e07f6fd84eb8b898e3c9b26ff57db3430a9e2b",
            ),
            degree: 2048,
            trials: [73, 85, 4, 29, 100, 56, 28, 45, 65, 10],
            parameters: PhantomData,
        }),
    ]
}

struct Dsa<P> {
    set: Set,
    /// d.
    degree: usize,
    /// How many pairs of polynomials the key generation of each official record draws, 2 d bytes each.
    trials: [usize; 10],
    parameters: PhantomData<P>,
}

impl<P: Params> Scheme for Dsa<P> {
    fn set(&self) -> &Set {
        &self.set
    }

    fn record(&self, backend: Backend, input: &Input) -> Result<Record, Failure> {
        let mut drng = Drng::with_backend(backend, &input.seed);
        let key = SigningKey::<P>::try_generate_with_backend(&mut drng, backend)
            .map_err(Failure::at("key generation"))?;
        let signature = key.try_sign_with_rng(&mut drng, &input.message).map_err(Failure::at("signing"))?;
        if key.verifying_key().verify(&input.message, &signature).is_err() {
            return Err(Failure::Contradiction("Sn: the signature does not verify".to_owned()));
        }
        let values = [
            input.seed.to_vec(),
            key.verifying_key().as_bytes().to_vec(),
            key.to_bytes().to_vec(),
            input.message.clone(),
            signature.as_bytes().to_vec(),
        ];
        let names = self.set.kind.fields();
        Ok(Record {
            fields: names.into_iter().zip(values).map(|(name, value)| Field::new(name, value)).collect(),
        })
    }

    /// Verifies the signature and makes it again with the secret key of the record. Key generation leaves the DRNG moved on
    /// by one request per 1024 bytes; what a request is for does not matter.
    fn check(&self, backend: Backend, number: usize, record: &Record) -> Option<Result<(), Failure>> {
        let trials = self.trials.get(number)?;
        let requests = trials * 2 * self.degree / 1024;
        Some(self.verify_and_sign(backend, requests, record))
    }
}

impl<P: Params> Dsa<P> {
    fn verify_and_sign(&self, backend: Backend, requests: usize, record: &Record) -> Result<(), Failure> {
        let field = |name: &str| {
            let field = record.fields.iter().find(|field| field.name == name);
            field.map(|field| &*field.value).ok_or_else(|| Failure::Contradiction(format!("no field {name}")))
        };
        let (message, expected) = (field("M")?, field("Sn")?);
        let public = VerifyingKey::<P>::from_bytes_with_backend(field("PK")?, backend)
            .map_err(Failure::at("import of PK"))?;
        let signature = Signature::from_bytes(expected).map_err(Failure::at("import of Sn"))?;
        public.verify(message, &signature).map_err(Failure::at("verification"))?;

        let key = SigningKey::<P>::from_bytes_with_backend(field("SK")?, backend)
            .map_err(Failure::at("import of SK"))?;
        if *key.to_bytes() != *field("SK")? || *key.verifying_key() != public {
            return Err(Failure::Contradiction(
                "SK: encodes to other bytes or belongs to another PK".to_owned(),
            ));
        }
        let mut drng = Drng::with_backend(backend, field("Seed")?);
        for _ in 0..requests {
            drng.fill_bytes(&mut []);
        }
        let again = key.try_sign_with_rng(&mut drng, message).map_err(Failure::at("signing"))?;
        if again != signature {
            return Err(Failure::Contradiction("Sn: signing again gives another signature".to_owned()));
        }
        // The safe signer with the same key: its own A and Sigma_delta, another signature, valid all the same.
        let safe = key.into_corrected().map_err(Failure::at("import of SK into the safe type"))?;
        let other = safe.try_sign_with_rng(&mut drng, message).map_err(Failure::at("corrected signing"))?;
        public.verify(message, &other).map_err(Failure::at("verification of the corrected signature"))
    }
}
