/// A task that runs its body after each wake-up, and once more when it is closed. Wake-ups while the body runs count
/// as one.
package final class WokenTask: Sendable {
    private struct State: Sendable {
        var task: Task<Void, Never>?
        var alarm: Task<Void, any Error>?
        var isClosed = false
    }

    private let wakeUps = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private let state = Mutex(State())

    /// Whether the task has been asked to end.
    package var isClosed: Bool { state.withLock(\.isClosed) }

    package init() {}

    /// Starts the task. To be called once.
    package func start(_ body: @escaping @Sendable () async -> Void) {
        let task = Task.detached { [stream = wakeUps.stream] in
            for await _ in stream { await body() }
            await body()
        }
        state.withLock { $0.task = task }
    }

    /// Runs the body, at the latest when the task is started.
    package func wake() {
        wakeUps.continuation.yield()
    }

    /// Also runs the body after a pause, which replaces the pause of an earlier call.
    package func wake(after pause: Duration, clock: any Clock<Duration>) {
        state.withLock { state in
            state.alarm?.cancel()
            guard !state.isClosed else { return }
            state.alarm = Task { [wakeUps] in
                try await clock.sleep(for: pause)
                wakeUps.continuation.yield()
            }
        }
    }

    /// Returns when the task has ended, at the latest after `deadline`. The task is cancelled after `timeout`. A
    /// cancelled caller still waits.
    package func close(within deadline: Duration, timeout: Duration, clock: any Clock<Duration>) async {
        let task = state.withLock { state in
            state.isClosed = true
            state.alarm?.cancel()
            return state.task
        }
        wakeUps.continuation.finish()
        guard let task else { return }
        let alarm = Task {
            try await clock.sleep(for: timeout)
            task.cancel()
        }
        await task.end(within: deadline, clock: clock)
        alarm.cancel()
    }
}
