internal import TestSupport
internal import Analytics

/// A writer that a test blocks and breaks, and which keeps what it wrote.
final class ScriptedWriter: AnalyticsWriter {
    struct Broken: Error, CustomStringConvertible {
        let description: String
    }

    private struct State: Sendable {
        var batches: [[String]] = []
        var begun = 0
        var error: Broken?
        var isBlocked = false
        var isHanging = false
        var blocked: [CheckedContinuation<Void, Never>] = []
    }

    let backlogBytes: Int? = nil
    private let state = Observed(State())
    private let onDeinit: @Sendable () -> Void

    init(onDeinit: @escaping @Sendable () -> Void = {}) {
        self.onDeinit = onDeinit
    }

    deinit {
        onDeinit()
    }

    /// The names of the events of each batch that was written, in order.
    var batches: [[String]] { state.value.batches }

    /// The names of all events that were written, in order.
    var written: [String] { batches.flatMap { $0 } }

    /// From now on fails like this; nil ends that.
    func fails(_ text: String?) {
        state.update { $0.error = text.map(Broken.init) }
    }

    /// From now on never returns, not even when its task is cancelled, before `unblock`.
    func block() {
        state.update { $0.isBlocked = true }
    }

    /// From now on returns only when its task is cancelled.
    func hangs() {
        state.update { $0.isHanging = true }
    }

    func unblock() {
        let blocked = state.update { state in
            state.isBlocked = false
            defer { state.blocked = [] }
            return state.blocked
        }
        for continuation in blocked { continuation.resume() }
    }

    /// Returns as soon as it has begun so many batches.
    func wait(begun count: Int) async {
        await state.wait { $0.begun >= count }
    }

    /// Returns as soon as it has written so many events.
    func wait(written count: Int) async {
        await state.wait { $0.batches.reduce(0) { $0 + $1.count } >= count }
    }

    func write(_ batch: [AnalyticsEvent]) async throws {
        await withCheckedContinuation { continuation in
            let mayGo = state.update { state in
                state.begun += 1
                guard state.isBlocked else { return true }
                state.blocked.append(continuation)
                return false
            }
            if mayGo { continuation.resume() }
        }
        if state.value.isHanging { try? await ManualClock().sleep(for: .seconds(1)) }
        let error = state.update { state in
            if state.error == nil { state.batches.append(batch.map(\.name)) }
            return state.error
        }
        if let error { throw error }
    }
}
