package import Analytics
package import Concurrency
internal import JSON
package import Products
internal import Text

/// Logs the exposures of one arm of an experiment: the first answer to each of its subjects.
///
/// It decorates the arm. The event `experiment_exposure` has the subject's pseudonym and the experiment's revision.
/// Subjects of the other arm that get this one as a substitute are not exposed, nor are callers that opted out of
/// analytics. The experiment belongs above memories, since an answer kept by a `memory` is not yet shown to a client.
///
/// It is not a component of the config and not observed, so it hands leases on itself.
package struct ExposureProductsProviderDecorator: ProductsProvider {
    static let event = "experiment_exposure"

    private let upstream: any ProductsProvider
    private let arm: ABTestArm
    private let experiment: Experiment
    private let sink: any AnalyticsSink
    private let wallClock: WallClock
    private let exposures = ExposureLog()

    package init(
        upstream: any ProductsProvider, arm: ABTestArm, of experiment: Experiment, sink: any AnalyticsSink,
        wallClock: WallClock = .system
    ) {
        (self.upstream, self.arm, self.experiment) = (upstream, arm, experiment)
        (self.sink, self.wallClock) = (sink, wallClock)
    }

    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        let answer = try await upstream.products(for: request)
        if !request.isRefresh { record(request) }
        return answer.passingLease(use: { request, _ in record(request()) }).handingLease()
    }

    private func record(_ request: ProductsRequest) {
        guard !request.analyticsOptOut else { return }
        let assignment = experiment.assignment(of: request)
        guard assignment.arm == arm, let subject = assignment.subject, exposures.isFirst(subject) else { return }
        let parameters: JSONObject = [
            "experiment": .string(experiment.name),
            "arm": .string(arm.rawValue),
            "subject": .string(subject.pseudonym),
            "revision": .string(experiment.revision.hexDigits),
        ]
        sink.log(
            AnalyticsEvent(
                .init(name: Self.event, parameters: parameters, subject: subject.pseudonym), at: wallClock.now()))
    }
}

/// Remembers the subjects that have been exposed to an experiment, so that each is logged once.
///
/// The number of subjects is bounded: beyond it the oldest half is forgotten and counts as new. Subjects are spread
/// over shards, so that concurrent requests seldom contend for a lock.
final class ExposureLog: Sendable {
    private final class Shard: Sendable {
        private struct State {
            var recent: Set<ExperimentSubject> = []
            var older: Set<ExperimentSubject> = []
        }

        private let half: Int
        private let state = Mutex(State())

        init(capacity: Int) {
            half = max(1, capacity / 2)
        }

        func isFirst(_ subject: ExperimentSubject) -> Bool {
            state.withLock { state in
                if state.recent.contains(subject) { return false }
                if state.recent.count >= half {
                    state.older = state.recent
                    state.recent = []
                }
                state.recent.insert(subject)
                return !state.older.contains(subject)
            }
        }
    }

    private let shards: [Shard]

    /// - Parameters:
    ///   - capacity: the most subjects; at least about half as many are remembered.
    ///   - shards: the number of locks.
    init(capacity: Int = 100_000, shards: Int = 16) {
        self.shards = (0..<shards).map { _ in Shard(capacity: capacity / shards) }
    }

    /// Records the subject; returns whether it is new.
    func isFirst(_ subject: ExperimentSubject) -> Bool {
        shards[Int(subject.low % UInt64(shards.count))].isFirst(subject)
    }
}
