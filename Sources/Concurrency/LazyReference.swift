public import struct Synchronization.Atomic

/// An object that is made when it is needed first, and kept from then on. Reading it takes no lock.
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

    /// What is kept; nil before `keep`.
    @inlinable public var value: Instance? {
        unsafe kept.load(ordering: .acquiring)?.takeUnretainedValue()
    }

    /// Does something with what is kept, without the count of its references being touched: threads that use it all the
    /// time would take the cache line of that count from each other.
    ///
    /// - Returns: what `body` returns; nil before `keep`.
    @inlinable
    public borrowing func withValue<Result>(_ body: (Instance) -> Result) -> Result? {
        // What is kept is never replaced, and given back when the reference ends, which is borrowed meanwhile.
        unsafe kept.load(ordering: .acquiring)?._withUnsafeGuaranteedRef { body($0) }
    }

    /// Keeps the object, unless another thread was faster.
    ///
    /// - Returns: what is kept: the same for all.
    @inlinable
    public borrowing func keep(_ instance: Instance) -> Instance {
        let own = unsafe Unmanaged.passRetained(instance)
        let (isKept, other) = unsafe kept.compareExchange(expected: nil, desired: own, ordering: .acquiringAndReleasing)
        guard !isKept, let other = unsafe other else { return instance }
        unsafe own.release()
        return unsafe other.takeUnretainedValue()
    }
}
