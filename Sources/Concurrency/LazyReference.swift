public import struct Synchronization.Atomic

/// An object that is set once, when it is first needed. Reading it takes no lock.
///
/// The standard library's type for this is not specialised where it is used, so that each read looks up a generic type,
/// which costs hundreds of instructions.
@safe
public struct LazyReference<Instance: AnyObject & Sendable>: ~Copyable, @unchecked Sendable {
    @usableFromInline let kept = unsafe Atomic<Unmanaged<Instance>?>(nil)

    /// A reference to nothing yet.
    public init() {}

    deinit {
        unsafe kept.load(ordering: .acquiring)?.release()
    }

    /// The object; nil before `keep`.
    @inlinable public var value: Instance? {
        unsafe kept.load(ordering: .acquiring)?.takeUnretainedValue()
    }

    /// Calls `body` with the object without touching its reference count, whose cache line busy threads would take from
    /// each other.
    ///
    /// - Returns: what `body` returns; nil before `keep`.
    @inlinable
    public borrowing func withValue<Result>(_ body: (Instance) -> Result) -> Result? {
        // The object is never replaced, and released when the reference ends, which is borrowed meanwhile.
        unsafe kept.load(ordering: .acquiring)?._withUnsafeGuaranteedRef { body($0) }
    }

    /// Keeps the object, unless another thread was faster.
    ///
    /// - Returns: the object that is kept, the same for all.
    @inlinable
    public borrowing func keep(_ instance: Instance) -> Instance {
        let own = unsafe Unmanaged.passRetained(instance)
        let (isKept, other) = unsafe kept.compareExchange(expected: nil, desired: own, ordering: .acquiringAndReleasing)
        guard !isKept, let other = unsafe other else { return instance }
        unsafe own.release()
        return unsafe other.takeUnretainedValue()
    }
}
