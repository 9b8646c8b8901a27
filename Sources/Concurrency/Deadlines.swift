internal import Dispatch

/// Waits for work until it is done, a deadline has passed or the caller is cancelled, whichever comes first.
///
/// Work that is late is cancelled and left behind, since it may not heed its cancellation; its value is dropped.
///
/// - Parameter limit: the time the work may take; nil for any time.
/// - Returns: the work's value; nil when it was late or the caller was cancelled.
package func firstOutcome<Value: Sendable>(
    within limit: Duration? = nil, clock: any Clock<Duration> = ContinuousClock(),
    of work: @escaping @Sendable () async -> Value
) async -> Value? {
    let outcome = FirstOutcome<Value>()
    let working = Task { outcome.settle(await work()) }
    let alarm = limit.map { limit in
        Task { if (try? await clock.sleep(for: limit)) != nil { outcome.settle(nil) } }
    }
    defer {
        working.cancel()
        alarm?.cancel()
    }
    return await withTaskCancellationHandler {
        await outcome.value()
    } onCancel: {
        outcome.settle(nil)
    }
}

/// Keeps the first of several outcomes for the one task that waits, and drops later ones.
///
/// The outcome is handed over under the lock: the thread sanitizer does not see that of a continuation which is resumed
/// before its task waits.
private final class FirstOutcome<Value: Sendable>: Sendable {
    private struct State: Sendable {
        var outcome: Value??
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    func settle(_ outcome: Value?) {
        let waiter: CheckedContinuation<Void, Never>? = state.withLock { state in
            guard state.outcome == nil else { return nil }
            state.outcome = .some(outcome)
            return state.waiter
        }
        waiter?.resume()
    }

    func value() async -> Value? {
        await withCheckedContinuation { waiter in
            let isSettled = state.withLock { state in
                state.waiter = waiter
                return state.outcome != nil
            }
            if isSettled { waiter.resume() }
        }
        return state.withLock { $0.outcome ?? nil }
    }
}

extension Task<Void, Never> {
    /// Returns when the task has ended, at the latest after `deadline`. A caller that is cancelled waits all the same.
    package func end(within deadline: Duration, clock: any Clock<Duration>) async {
        await Task { _ = await firstOutcome(within: deadline, clock: clock) { await value } }.value
    }
}

/// Waits for asynchronous work on a thread that may block, and for a limited time.
package enum BlockingWait {
    /// - Returns: the work's value; nil when it is late, and then it goes on alone.
    package static func value<Value: Sendable>(
        within limit: Duration, of work: @escaping @Sendable () async -> Value
    ) -> Value? {
        let result = Result<Value>()
        Task.detached { result.put(await work()) }
        return result.take(within: limit)
    }

    private final class Result<Value: Sendable>: Sendable {
        private let value = Mutex<Value?>(nil)
        private let isThere = DispatchSemaphore(value: 0)

        func put(_ value: Value) {
            self.value.withLock { $0 = value }
            isThere.signal()
        }

        func take(within limit: Duration) -> Value? {
            _ = isThere.wait(timeout: .now() + .milliseconds(Int(limit / .milliseconds(1))))
            return value.withLock { $0 }
        }
    }
}
