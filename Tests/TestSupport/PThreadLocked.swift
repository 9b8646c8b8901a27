internal import Glibc

/// State behind a POSIX mutex. The thread sanitizer understands those; of `Mutex` it sees nothing, and between threads
/// that are not Swift's own it then reports races where there are none.
@safe
public final class PThreadLocked<State>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var state: State

    /// Guards this state.
    public init(_ state: sending State) {
        self.state = state
        unsafe pthread_mutex_init(mutex, nil)
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    /// Runs the body while no other thread has the state.
    public func withLock<Value>(_ body: (inout State) -> Value) -> Value {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return body(&state)
    }
}
