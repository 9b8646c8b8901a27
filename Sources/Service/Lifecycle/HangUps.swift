internal import UnixSignals

/// SIGHUP as a wish to reload. From its making to the end of the process the signal ends the process no more, also
/// while nobody listens.
public struct HangUps: Sendable {
    /// One element for any number of signals since the last one was taken.
    public let requests: AsyncStream<Void>

    /// Catches the signal. To be done before anything that takes time.
    public init() async {
        let signals = await UnixSignalsSequence(trapping: .sighup)
        let (requests, request) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.requests = requests
        Task.detached {
            for await _ in signals { request.yield() }
        }
    }
}
