internal import Concurrency
public import Products
internal import struct Synchronization.Atomic

/// That a provider was asked on a way through the graph.
public struct Visit: Sendable {
    /// What came of asking it.
    public enum Outcome: Sendable, Hashable {
        /// It has not answered yet.
        case running
        /// It gave an answer.
        case answered
        /// It failed.
        case failed(ProductsFailure)
        /// Whoever asked it wanted no answer any more.
        case cancelled
    }

    /// The `ComponentOutline.id` of the provider.
    public let node: String
    /// The position, among the visits of the way, of the one that asked it; nil for the first.
    public let parent: Int?
    /// What came of it.
    public internal(set) var outcome: Outcome
    /// What had been done for the answer when the provider gave it; only on a way that is timed.
    public internal(set) var trail: [TrailStep] = []
    /// When it was asked, counted from when the recorder was made; zero on a way that is not timed.
    public let begin: Duration
    /// When it answered or failed; nil while it has not, and on a way that is not timed.
    public internal(set) var end: Duration?
}

/// Writes down who was asked on the way of a request.
public final class VisitRecorder: ExplanationRecorder {
    private let state = Mutex<[Visit]>([])
    private let stopwatch: Uptime?

    /// A recorder that times every visit by `clock`.
    public convenience init<C: Clock>(timedBy clock: C) where C.Duration == Duration {
        self.init(stopwatch: Uptime(of: clock))
    }

    /// - Parameter stopwatch: without one no time is taken and no clock read.
    init(stopwatch: Uptime? = nil) {
        self.stopwatch = stopwatch
    }

    /// The visits of the way in the order of their beginnings.
    public var visits: [Visit] { state.withLock { $0 } }

    /// Whether more than one provider was asked.
    var hasDescended: Bool { state.withLock { $0.count > 1 } }

    /// Notes that a provider is asked.
    public func begin(_ node: String, within parent: ExplanationVisit?) -> ExplanationVisit {
        let now = stopwatch?.now ?? .zero
        return state.withLock { visits in
            visits.append(Visit(node: node, parent: parent?.index, outcome: .running, begin: now))
            return ExplanationVisit(index: visits.count - 1)
        }
    }

    /// Notes what came of it.
    public func end(_ visit: ExplanationVisit, with outcome: Result<ProductsAnswer, any Error>) {
        let now = stopwatch?.now
        state.withLock { visits in
            visits[visit.index].outcome = Self.summary(of: outcome)
            guard let now else { return }
            visits[visit.index].end = now
            if case .success(let answer) = outcome { visits[visit.index].trail = answer.trail }
        }
    }

    private static func summary(of outcome: Result<ProductsAnswer, any Error>) -> Visit.Outcome {
        switch outcome {
        case .success: return .answered
        case .failure(let error):
            let failure = ProductsFailure(error)
            return failure == .cancelled ? .cancelled : .failed(failure)
        }
    }
}

/// The ways that the last answer and the last refresh took through the graph.
///
/// Nobody waits for them: a way that ends at the very moment at which another one is kept, or shown, is forgotten.
final class RecentWays: Sendable {
    private struct State {
        var answer: VisitRecorder?
        var refresh: VisitRecorder?
    }

    private let sampler: WaySampler
    private let state = Mutex(State())

    init(sampler: WaySampler = WaySampler()) {
        self.sampler = sampler
    }

    /// The visits of the last request from outside that was followed to its end.
    var answer: [Visit] { state.withLock(\.answer)?.visits ?? [] }

    /// The same of the last question for which nobody had an answer at hand.
    var refresh: [Visit] { state.withLock(\.refresh)?.visits ?? [] }

    /// A recorder for a request from outside; nil for most of them when there are many.
    func beginAnswer() -> VisitRecorder? {
        sampler.chooses() ? VisitRecorder() : nil
    }

    /// Whether a request that comes from outside now is given a recorder.
    var wouldBeginAnswer: Bool { sampler.wouldChoose }

    /// A recorder for what a provider asks on its own account.
    func beginRefresh() -> VisitRecorder {
        VisitRecorder()
    }

    /// Keeps a way that has ended, as one of the two or as both.
    ///
    /// - Parameters:
    ///   - isAnswer: whether it began at the root, and not where a provider asks on its own account.
    ///   - isRefresh: whether it went to where products come from.
    func finish(_ recorder: VisitRecorder, isAnswer: Bool, isRefresh: Bool) {
        _ = state.withLockIfAvailable { state in
            if isAnswer { state.answer = recorder }
            if isRefresh { state.refresh = recorder }
        }
    }
}

/// Chooses which requests are followed: all of them where they come slowly, and ten a second where they come fast.
///
/// It costs those that are not chosen a look at the clock. Requests at the same moment may be chosen together.
final class WaySampler: Sendable {
    /// Of the time's attoseconds these low bits are left out, which makes ticks of 1.1 ms: no division, and few enough
    /// for an `Int`.
    private static let tickBits = 50
    /// The ticks, about 100 ms, that one choice takes out of what there is.
    private static let price = 89
    /// How many may be chosen in a row.
    private static let most = 32

    private let uptime: Uptime
    /// The tick up to which all time has been used up.
    private let spent = Atomic<Int>(-most * price)

    init(uptime: Uptime = Uptime(of: ContinuousClock())) {
        self.uptime = uptime
    }

    /// Whether the request that comes now is to be followed. Nothing is used up by asking.
    var wouldChoose: Bool { choice != nil }

    /// Whether the request that comes now is followed.
    func chooses() -> Bool {
        guard let choice else { return false }
        spent.store(choice, ordering: .relaxed)
        return true
    }

    /// What is used up by a choice at this moment; nil when there is too little left for one.
    private var choice: Int? {
        let now = Int(truncatingIfNeeded: uptime.now.attoseconds >> Self.tickBits)
        let end = max(spent.load(ordering: .relaxed), now - Self.most * Self.price) + Self.price
        return end <= now ? end : nil
    }
}
