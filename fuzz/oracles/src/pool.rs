//! Values that are made once, one of each type.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};

type Made = HashMap<TypeId, &'static (dyn Any + Send + Sync)>;

/// The value of type `T`, made by `make` when it is asked for first.
pub(crate) fn made_once<T: Send + Sync + 'static>(make: impl FnOnce() -> T) -> &'static T {
    static MADE: OnceLock<Mutex<Made>> = OnceLock::new();
    let made = MADE.get_or_init(Mutex::default);
    let id = TypeId::of::<T>();
    let found = made.lock().unwrap_or_else(PoisonError::into_inner).get(&id).copied();
    // Made without the lock, so that one value may need another.
    let value = found.unwrap_or_else(|| {
        let value: &'static (dyn Any + Send + Sync) = Box::leak(Box::new(make()));
        *made.lock().unwrap_or_else(PoisonError::into_inner).entry(id).or_insert(value)
    });
    value.downcast_ref().expect("it is filed under its type")
}
