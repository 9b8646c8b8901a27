internal import Concurrency
internal import Logging

/// What is known of the endpoint. Every change is one line of the log.
final class DeliveryState: Sendable {
    private struct State: Sendable {
        /// In a row.
        var failures = 0
        var wait: Duration = .zero
        var isDown = false
        var isReported = false
        var isRefusing = false
        var isLosing = false
        var isStuck = false
        var isFull = false
    }

    private let logger: Logger
    private let metadata: Logger.Metadata
    private let state = Mutex(State())

    init(name: String, logger: Logger) {
        self.logger = logger
        metadata = ["sink": "\(name)"]
    }

    /// Whether new events go to the backlog without a try.
    var isDown: Bool { state.withLock(\.isDown) }

    /// How long to wait before the next try; nil when there is no need to.
    func pause(jitter: Double) -> Duration? {
        state.withLock { state in
            guard state.isDown else { return nil }
            return RetryPause.after(failures: state.failures, wait: state.wait, jitter: jitter)
        }
    }

    /// Lets the next events be the try: there are no others left.
    func letTry() {
        state.withLock { $0.isDown = false }
    }

    /// Takes note of how a delivery went.
    ///
    /// - Parameter isSuspect: whether it was of events that may themselves be what is wrong. That they fail says nothing
    ///   of the endpoint, unless it asks to be left alone; whether it is down is for new events to find out.
    func note(_ verdict: DeliveryVerdict, isSuspect: Bool = false) {
        noteRefusal(verdict)
        let isAnswered = verdict.isDelivered || verdict.refusal != nil
        if isAnswered { state.withLock { $0.failures = 0 } }
        if let failure = verdict.failure, !isSuspect || verdict.wait > .zero {
            noteFailure(failure, wait: verdict.wait)
        } else if isAnswered {
            noteAnswer(isDelivered: verdict.isDelivered)
        } else if verdict.failure != nil {
            letTry()
        }
    }

    /// Takes note of whether there is room for events that have to wait.
    func noteRoom(_ hasRoom: Bool) {
        guard isNews(!hasRoom, \.isFull) else { return }
        if hasRoom {
            log(.notice, "there is room for undelivered analytics again")
        } else {
            log(.warning, "there is no room for more undelivered analytics, events are dropped")
        }
    }

    /// Takes note of whether events could be put aside.
    func noteKeeping(_ error: (any Error)?) {
        guard isNews(error != nil, \.isLosing) else { return }
        if let error {
            log(.warning, "undelivered analytics cannot be kept, events are dropped", ["error": "\(error)"])
        } else {
            log(.notice, "undelivered analytics can be kept again")
        }
    }

    /// Takes note of whether events that wait could be taken from where they do.
    func noteTaking(_ error: (any Error)?) {
        guard isNews(error != nil, \.isStuck) else { return }
        if let error {
            log(.warning, "undelivered analytics cannot be worked off and wait", ["error": "\(error)"])
        } else {
            log(.notice, "undelivered analytics can be worked off again")
        }
    }

    private func isNews(_ isSo: Bool, _ flag: WritableKeyPath<State, Bool>) -> Bool {
        state.withLock { state in
            defer { state[keyPath: flag] = isSo }
            return state[keyPath: flag] != isSo
        }
    }

    private func noteFailure(_ reason: String, wait: Duration) {
        let isNews = state.withLock { state in
            state.failures += 1
            state.wait = wait
            state.isDown = true
            defer { state.isReported = true }
            return !state.isReported
        }
        if isNews { log(.warning, "analytics cannot be delivered and wait", ["error": "\(reason)"]) }
    }

    /// An endpoint that refuses is not down, but nothing is delivered again before it takes something.
    private func noteAnswer(isDelivered: Bool) {
        let isNews = state.withLock { state in
            state.isDown = false
            guard isDelivered else { return false }
            defer { state.isReported = false }
            return state.isReported
        }
        if isNews { log(.notice, "analytics are delivered again") }
    }

    private func noteRefusal(_ verdict: DeliveryVerdict) {
        guard let status = verdict.refusal else {
            if verdict.isDelivered { state.withLock { $0.isRefusing = false } }
            return
        }
        let isNews = state.withLock { state in
            defer { state.isRefusing = true }
            return !state.isRefusing
        }
        if isNews { log(.warning, "analytics are refused, events are dropped", ["status": "\(status)"]) }
    }

    private func log(_ level: Logger.Level, _ message: Logger.Message, _ more: Logger.Metadata = [:]) {
        logger.log(level: level, message, metadata: metadata.merging(more) { $1 })
    }
}
