internal import Concurrency

/// The packs of one delivery, and how it goes. Those who send take from it until one of them fails.
final class PackQueue: Sendable {
    private struct State: Sendable {
        var waiting: [GoogleAnalyticsPack]
        var undelivered: [GoogleAnalyticsPack] = []
        var delivered = 0
        var status: Int?
        var failure: (reason: String, wait: Duration)?
        var isOver = false
    }

    private let state: Mutex<State>

    init(_ packs: [GoogleAnalyticsPack]) {
        state = Mutex(State(waiting: packs.reversed()))
    }

    /// The next one to be sent; nil when there is none, or no sense in it.
    func next() -> GoogleAnalyticsPack? {
        state.withLock { $0.isOver ? nil : $0.waiting.popLast() }
    }

    /// Takes note of what came of a pack.
    func note(_ outcome: GoogleAnalyticsEndpoint.Outcome, of pack: GoogleAnalyticsPack) {
        state.withLock { state in
            switch outcome {
            case .delivered: state.delivered += 1
            case .refused(let status): state.status = status
            case .failed(let reason, let wait):
                state.undelivered.append(pack)
                state.failure = (reason, max(wait, state.failure?.wait ?? .zero))
                state.isOver = true
            case .interrupted:
                state.undelivered.append(pack)
                state.isOver = true
            }
        }
    }

    /// What is left when all is over, and what is to be learnt from it. What failed comes last, so that the next try
    /// gets to the others first.
    var result: (rest: [GoogleAnalyticsEvent], verdict: DeliveryVerdict) {
        state.withLock { state in
            let rest = (state.waiting.reversed() + state.undelivered).flatMap(\.events)
            let verdict = DeliveryVerdict(
                isDelivered: state.delivered > 0, refusal: state.status, failure: state.failure?.reason,
                wait: state.failure?.wait ?? .zero)
            return (rest, verdict)
        }
    }
}
