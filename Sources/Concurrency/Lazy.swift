public import struct Synchronization.Atomic

/// A value that is made when it is first needed, and kept. All callers get the same one.
package final class Lazy<Value: Sendable>: Sendable {
    @usableFromInline
    enum State {
        case unmade
        case running(Task<Value, Never>)
        case kept(Value)
    }

    @usableFromInline let make: @Sendable () -> Value
    @usableFromInline let state = Mutex(State.unmade)

    /// Creates a value that `make` makes later.
    @inlinable
    package init(make: @escaping @Sendable () -> Value) {
        self.make = make
    }

    /// The value, if it has been made.
    @inlinable package var kept: Value? {
        state.withLock { if case .kept(let value) = $0 { value } else { nil } }
    }

    /// The value, made on the calling thread. Concurrent first callers each make one, so that none blocks its thread;
    /// the first one finished is kept.
    @inlinable package var value: Value { kept ?? keep(make()) }

    /// The value, made once off the event loops, however many callers need it at that moment.
    @inlinable
    package func made() async -> Value {
        let running: Task<Value, Never>? = state.withLock { state in
            switch state {
            case .kept: return nil
            case .running(let task): return task
            case .unmade:
                let task = Task.detached(executorPreference: BackgroundExecutor.shared) { [self] in keep(make()) }
                state = .running(task)
                return task
            }
        }
        return await running?.value ?? value
    }

    /// Keeps a value made elsewhere, unless there is one.
    /// - Returns: the value kept.
    @inlinable
    @discardableResult
    package func keep(_ made: Value) -> Value {
        state.withLock { state in
            if case .kept(let value) = state { return value }
            state = .kept(made)
            return made
        }
    }
}

/// A lazy value that records whether it was requested; making it ahead does not count.
package final class WantedLazy<Value: Sendable>: Sendable {
    /// The value, to be made ahead.
    package let lazy: Lazy<Value>
    private let wanted = Atomic(false)

    package init(make: @escaping @Sendable () -> Value) {
        lazy = Lazy(make: make)
    }

    package var isWanted: Bool { wanted.load(ordering: .relaxed) }

    /// Records a request.
    package func want() {
        if !isWanted { wanted.store(true, ordering: .relaxed) }
    }
}

/// An object that is set once, when it is first needed. Reading it takes no lock.
///
/// The standard library's type for this is not specialised where it is used, so each read looks up a generic type, at
/// the cost of hundreds of instructions.
@safe
public struct LazyReference<Instance: AnyObject & Sendable>: ~Copyable, @unchecked Sendable {
    @usableFromInline let kept = unsafe Atomic<Unmanaged<Instance>?>(nil)

    /// An empty reference.
    public init() {}

    deinit {
        unsafe kept.load(ordering: .acquiring)?.release()
    }

    /// The object; nil before `keep`.
    @inlinable public var value: Instance? {
        unsafe kept.load(ordering: .acquiring)?.takeUnretainedValue()
    }

    /// Calls `body` with the object without changing its reference count, whose cache line busy threads would contend
    /// for.
    ///
    /// - Returns: the result of `body`; nil before `keep`.
    @inlinable
    public borrowing func withValue<Result>(_ body: (Instance) -> Result) -> Result? {
        // The object is never replaced, and is released with this reference, which is borrowed meanwhile.
        unsafe kept.load(ordering: .acquiring)?._withUnsafeGuaranteedRef { body($0) }
    }

    /// Keeps the object, unless another thread was faster.
    ///
    /// - Returns: the object kept, the same for all callers.
    @inlinable
    public borrowing func keep(_ instance: Instance) -> Instance {
        let own = unsafe Unmanaged.passRetained(instance)
        let (isKept, other) = unsafe kept.compareExchange(expected: nil, desired: own, ordering: .acquiringAndReleasing)
        guard !isKept, let other = unsafe other else { return instance }
        unsafe own.release()
        return unsafe other.takeUnretainedValue()
    }
}
