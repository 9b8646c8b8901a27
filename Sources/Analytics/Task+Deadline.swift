extension Task<Void, Never> {
    /// Returns when the task has ended, at the latest after `deadline`. A caller that is cancelled waits all the same.
    func end(within deadline: Duration, clock: any Clock<Duration>) async {
        let (ends, end) = AsyncStream.makeStream(of: Never.self)
        let alarm = Task<Void, any Error> {
            try await clock.sleep(for: deadline)
            end.finish()
        }
        Task {
            await value
            end.finish()
        }
        await Task { for await _ in ends {} }.value
        alarm.cancel()
    }
}
