internal import Concurrency
internal import Dispatch

/// A thread of its own for calls that wait for a disk.
///
/// A disk, above all one on the network, may hang for minutes. Swift has no more shared threads than cores, so a
/// blocked one would be missing everywhere else.
package final class BlockingQueue: Sendable {
    /// The number of abandoned bodies that further callers wait behind.
    private static let mostAbandoned = 64
    private let queue: DispatchQueue
    /// The number of bodies that still run or wait after their callers have given up.
    private let abandoned = Mutex(0)

    /// Creates a thread of this name, which exists while something runs on it.
    ///
    /// - Parameter inBackground: whether its bodies compute for long, and get the priority of `BackgroundExecutor`.
    package init(_ name: String, inBackground: Bool = false) {
        queue = DispatchQueue(label: name, qos: inBackground ? .background : .unspecified)
    }

    /// Runs the body after those before it. It runs to its end, even if the caller is cancelled.
    package func run<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Result(catching: body)) }
        }
        return try result.get()
    }

    /// Runs the body after those before it, and waits for it for at most `limit`. Cancellation of the caller does not
    /// shorten the wait.
    ///
    /// A body whose wait has timed out still runs to its end. Until then, a caller with an alternative gets nil at once
    /// and its body does not run; a caller without (`waitsBehindAbandoned`) waits within its own limit.
    ///
    /// - Parameter waitsBehindAbandoned: whether to wait behind bodies whose callers have given up. At most 64 of these
    ///   are waited for, so that a disk that never responds does not collect bodies without limit.
    /// - Returns: the body's value; nil if it is not there in time.
    package func run<Value: Sendable>(
        within limit: Duration, waitsBehindAbandoned: Bool = false, clock: any Clock<Duration> = ContinuousClock(),
        _ body: @escaping @Sendable () -> Value
    ) async -> Value? {
        let acceptable = waitsBehindAbandoned ? Self.mostAbandoned : 0
        guard abandoned.withLock({ $0 }) <= acceptable else { return nil }
        let call = BoundedCall<Value>()
        await withCheckedContinuation { caller in
            call.begin(caller)
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
        return call.value
    }
}

/// Resumes a caller exactly once, with the value or with nil at the time limit, whichever comes first.
///
/// The value is passed under the lock: the thread sanitizer does not follow it through a continuation that is resumed
/// before its caller waits.
private final class BoundedCall<Value: Sendable>: Sendable {
    private let state = Mutex<(caller: CheckedContinuation<Void, Never>?, value: Value?)>((nil, nil))

    /// The value that the call was settled with.
    var value: Value? { state.withLock(\.value) }

    func begin(_ caller: CheckedContinuation<Void, Never>) {
        state.withLock { $0.caller = caller }
    }

    /// - Returns: whether the caller still waited.
    func settle(_ value: Value?) -> Bool {
        let caller = state.withLock { state in
            defer { state.caller = nil }
            if state.caller != nil { state.value = value }
            return state.caller
        }
        caller?.resume()
        return caller != nil
    }
}
