import Concurrency
import FileSystem

/// Counts generations for those who do not wait for a disk that hangs.
///
/// There is one look at the disk at a time, on a thread of its own, however many ask. Who asks waits for it a little;
/// after that, and until it ends, nobody does.
final class GenerationCounter: Sendable {
    private typealias Look = Task<Int?, Never>

    private struct State {
        var look: Look?
        /// Whether somebody waited for the look in vain.
        var isLate = false
    }

    private let patience: Duration
    private let clock: any Clock<Duration>
    private let look: @Sendable () throws(FileSystemError) -> Int
    private let disk = BlockingQueue("larder store count")
    private let state = Mutex(State())

    /// - Parameters:
    ///   - patience: how long the disk is waited for.
    ///   - look: counts; blocks its thread as long as it takes.
    init(
        patience: Duration = .seconds(1), clock: any Clock<Duration> = ContinuousClock(),
        look: @escaping @Sendable () throws(FileSystemError) -> Int
    ) {
        self.patience = patience
        self.clock = clock
        self.look = look
    }

    /// How many there are; nil when that cannot be told now.
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
