internal import Dispatch
internal import Locks

/// A thread of its own for calls that wait for a disk.
///
/// A disk, above all one on the network, may hang for minutes. Swift's shared threads are as few as the cores; one that
/// waits would be missing where everything else is computed.
public final class BlockingQueue: Sendable {
    private let queue: DispatchQueue
    /// How many bodies still run or wait although their callers have given up.
    private let abandoned = Mutex(0)

    /// A thread of this name, which is there while something runs on it.
    public init(_ name: String) {
        queue = DispatchQueue(label: name)
    }

    /// Runs the body when those before it have run. It runs to its end, whoever is cancelled.
    public func run<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Result(catching: body)) }
        }
        return try result.get()
    }

    /// Runs the body when those before it have run, and waits for it no longer than `limit`, also where the caller is
    /// cancelled. A body whose caller has given up runs to its end; until then other callers do not wait at all, and
    /// their bodies are not run.
    ///
    /// - Returns: what the body gave; nil when the disk does not answer in time.
    public func run<Value: Sendable>(
        within limit: Duration, clock: any Clock<Duration> = ContinuousClock(),
        _ body: @escaping @Sendable () -> Value
    ) async -> Value? {
        guard abandoned.withLock({ $0 }) == 0 else { return nil }
        return await withCheckedContinuation { continuation in
            let call = BoundedCall(continuation)
            let alarm = Task.detached { [self] in
                guard (try? await clock.sleep(for: limit)) != nil else { return }
                abandoned.withLock { abandoned in
                    if call.settle(nil) { abandoned += 1 }
                }
            }
            queue.async { [self] in
                let value = body()
                alarm.cancel()
                abandoned.withLock { abandoned in
                    if !call.settle(value) { abandoned -= 1 }
                }
            }
        }
    }
}

/// Resumes a caller once: with what comes first, the value or the end of its patience.
private final class BoundedCall<Value: Sendable>: Sendable {
    private let caller: Mutex<CheckedContinuation<Value?, Never>?>

    init(_ caller: CheckedContinuation<Value?, Never>) {
        self.caller = Mutex(caller)
    }

    /// - Returns: whether the caller still waited.
    func settle(_ value: Value?) -> Bool {
        let caller = caller.withLock { caller in
            defer { caller = nil }
            return caller
        }
        caller?.resume(returning: value)
        return caller != nil
    }
}
