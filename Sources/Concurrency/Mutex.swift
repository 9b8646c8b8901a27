public import Glibc

/// A value guarded by a POSIX mutex.
///
/// The standard library's mutex waits in the kernel in a way that the thread sanitizer cannot follow: it reports each
/// contended use as a data race, which hides the real ones. This one can be checked in its release form.
///
/// Hold it only to read or change the value: never during work, and never across a suspension.
@safe
public struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    @usableFromInline let lock: UnsafeMutablePointer<pthread_mutex_t>
    @usableFromInline let value: UnsafeMutablePointer<Value>

    /// A mutex around this value.
    @inlinable
    public init(_ initialValue: consuming sending Value) {
        unsafe lock = .allocate(capacity: 1)
        unsafe lock.initialize(to: pthread_mutex_t())
        unsafe pthread_mutex_init(lock, nil)
        unsafe value = .allocate(capacity: 1)
        unsafe value.initialize(to: initialValue)
    }

    deinit {
        unsafe value.deinitialize(count: 1)
        unsafe value.deallocate()
        unsafe pthread_mutex_destroy(lock)
        unsafe lock.deallocate()
    }

    /// Waits for the mutex and calls `body` with the value. Nesting it deadlocks.
    @inlinable
    public borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        unsafe pthread_mutex_lock(lock)
        defer { unsafe pthread_mutex_unlock(lock) }
        return try unsafe body(&value.pointee)
    }

    /// Calls `body` with the value if the mutex is free, and returns `nil` otherwise.
    @inlinable
    public borrowing func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result? {
        guard unsafe pthread_mutex_trylock(lock) == 0 else { return nil }
        defer { unsafe pthread_mutex_unlock(lock) }
        return try unsafe body(&value.pointee)
    }
}
