internal import Concurrency
internal import FileSystem

/// Counts generations without waiting for a disk that hangs.
///
/// One listing of the directory runs at a time, on a thread of its own, and concurrent calls share it. Calls wait for it
/// up to `patience`; once that has passed, later calls return nil at once until the listing ends.
final class GenerationCounter: Sendable {
    private typealias Look = Task<Int?, Never>

    private struct State {
        var look: Look?
        /// Whether a call gave up on the listing.
        var isLate = false
    }

    private let patience: Duration
    private let clock: any Clock<Duration>
    private let look: @Sendable () throws(FileSystemError) -> Int
    private let disk = BlockingQueue("larder store count")
    private let state = Mutex(State())

    /// - Parameter look: counts; blocks its thread as long as the disk takes.
    init(
        patience: Duration = .seconds(1), clock: any Clock<Duration> = ContinuousClock(),
        look: @escaping @Sendable () throws(FileSystemError) -> Int
    ) {
        self.patience = patience
        self.clock = clock
        self.look = look
    }

    /// Counts; nil when the disk does not answer in time.
    func count() async -> Int? {
        guard let look = state.withLock({ state in state.isLate ? nil : currentLook(&state) }) else { return nil }
        if let count = await firstOutcome(within: patience, clock: clock, of: { await look.value }) { return count }
        if !Task.isCancelled { state.withLock { $0.isLate = $0.look == look } }
        return nil
    }

    private func currentLook(_ state: inout State) -> Look {
        if let running = state.look { return running }
        let new = Look { [self] in
            let count = try? await disk.run(look)
            self.state.withLock { $0 = State() }
            return count
        }
        state.look = new
        return new
    }
}
