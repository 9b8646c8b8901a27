internal import Dispatch

/// Waits for work until it is done, a deadline has passed or the caller is cancelled, whichever comes first.
///
/// Late work is cancelled and left running, since it may ignore its cancellation; its value is dropped.
///
/// - Parameter limit: the time limit of the work; nil for none.
/// - Returns: the work's value; nil if it was late or the caller was cancelled.
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

/// Keeps the first of several outcomes for the one waiting task, and drops later ones.
///
/// The outcome is passed under the lock: the thread sanitizer does not follow it through a continuation that is resumed
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
    /// Returns when the task has ended, or at `deadline`. Also waits if the caller is cancelled.
    package func end(within deadline: Duration, clock: any Clock<Duration>) async {
        await Task { _ = await firstOutcome(within: deadline, clock: clock) { await value } }.value
    }
}

/// Threads for work that takes over a millisecond, as many as cores, at a lower scheduling priority than the event
/// loops.
///
/// At equal priority, an event loop would have to wait for its share of a core whenever a request arrives. Dispatch has
/// threads for each quality of service. On Linux, threads of `background` have a nice value of 10 (`background-qos` in
/// `ps -L`). They get a tenth of a core that a loop keeps busy, so their work continues under any load.
///
/// A thread inherits its nice value from the thread that starts it, and cannot lower it without privilege. So a thread
/// of Swift's global pool, of the log or of a `BlockingQueue` may have the same value until it ends, seconds after its
/// last work. The event loops are started before there is any work.
///
/// Jobs start in the order of their submission, and none may block: disk access belongs on a `BlockingQueue`. Short
/// work for a single request belongs on the global pool, where it does not wait for long jobs.
package final class BackgroundExecutor: TaskExecutor {
    /// The only instance: all would share the same threads.
    package static let shared = BackgroundExecutor()

    private let queue = DispatchQueue(label: "larder background", qos: .background, attributes: .concurrent)

    private init() {}

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}

/// Runs work that may take over a millisecond (decoding, checking, hashing) at the lower priority, and returns to the
/// caller's executor.
package func offLoop<Value: Sendable>(
    _ work: @concurrent @Sendable () async throws -> Value
) async throws -> Value {
    // `work` itself switches executors, being concurrent. The switch of a closure around it is optimised away.
    try await withTaskExecutorPreference(BackgroundExecutor.shared, operation: work)
}

/// Waits for asynchronous work, for a limited time, on a thread that may block.
package enum BlockingWait {
    /// - Returns: the work's value; nil if it is late. The work then continues in the background.
    package static func value<Value: Sendable>(
        within limit: Duration, of work: @escaping @Sendable () async -> Value
    ) -> Value? {
        let result = Result<Value>()
        Task.detached { result.put(await work()) }
        return result.wait(for: limit)
    }

    private final class Result<Value: Sendable>: Sendable {
        private let value = Mutex<Value?>(nil)
        private let isThere = DispatchSemaphore(value: 0)

        func put(_ value: Value) {
            self.value.withLock { $0 = value }
            isThere.signal()
        }

        func wait(for limit: Duration) -> Value? {
            _ = isThere.wait(timeout: .now() + .milliseconds(Int(limit / .milliseconds(1))))
            return value.withLock { $0 }
        }
    }
}
