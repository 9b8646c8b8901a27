package import Analytics
package import Concurrency
internal import JSON
package import Products
internal import Text

/// Splits subjects between two providers: an A/B test with a sticky split.
///
/// The subject is the value of a request header, hashed with the experiment's name; a request without one gets `a`, the
/// control. When a subject's own arm fails, the other arm answers; the trail says so, and such an answer is no exposure.
/// When both fail, the failure of the own arm is thrown, because it is the cause. A `memory` above that has a servable
/// catalogue of the own arm serves that instead.
///
/// With a sink, the first answer to a subject under a revision of the experiment is logged as `experiment_exposure` with
/// the subject's pseudonym, unless the caller opted out. The refresh of a `memory` above is no exposure; the test
/// belongs above the memories of its arms.
package struct ABTestProductsProviderStrategy: ProductsProvider {
    static let exposure = "experiment_exposure"

    private let name: String
    private let experiment: Experiment
    private let subject: String
    private let a: any ProductsProvider
    private let b: any ProductsProvider
    private let sink: (any AnalyticsSink)?
    private let exposures = ExposureLog()
    private let wallClock: WallClock

    /// Splits between `a` and `b`.
    ///
    /// - Parameters:
    ///   - experiment: the experiment's name; another name splits differently.
    ///   - subject: the request header that holds the subject, in any case.
    ///   - shareOfA: the share of the subjects that get `a`, from 0 to 1.
    package init(
        name: String = "ab_test", experiment: String, subject: String, shareOfA: Double = 0.5,
        a: any ProductsProvider, b: any ProductsProvider, sink: (any AnalyticsSink)? = nil,
        wallClock: WallClock = .system
    ) {
        self.name = name
        self.subject = subject.lowercased()
        self.experiment = Experiment(name: experiment, header: self.subject, shareOfA: shareOfA)
        self.a = a
        self.b = b
        self.sink = sink
        self.wallClock = wallClock
    }

    /// Returns the answer of the subject's arm, or of the other one where that fails.
    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        let assignment = experiment.assignment(of: request.headers[subject])
        do {
            let answer = try await ask(assignment.arm, .chose(role: assignment.arm.rawValue), request)
            recordExposure(assignment, request)
            return answer
        } catch {
            let failure = ProductsFailure(error)
            guard FailureClass(failure) != nil else { throw error }
            return try await substitute(for: assignment.arm, failure, request)
        }
    }

    /// Asks the other arm. The last good snapshot of one arm is no baseline for the other.
    private func substitute(
        for arm: ExperimentArm, _ failure: ProductsFailure, _ request: ProductsRequest
    ) async throws -> ProductsAnswer {
        var request = request
        request.lastGood = nil
        do {
            return try await ask(arm.other, .substituted(role: arm.other.rawValue), request)
                .preceded(by: [TrailStep(node: name, outcome: .failed(failure))])
        } catch is ProductsFailure {
            throw failure
        }
    }

    private func ask(
        _ arm: ExperimentArm, _ outcome: TrailOutcome, _ request: ProductsRequest
    ) async throws -> ProductsAnswer {
        let provider = arm == .a ? a : b
        return try await provider.products(for: request).adding(TrailStep(node: name, outcome: outcome))
    }

    private func recordExposure(_ assignment: Experiment.Assignment, _ request: ProductsRequest) {
        guard let sink, let subject = assignment.subject, !request.analyticsOptOut, !request.isRefresh,
            exposures.isFirst(subject)
        else { return }
        let parameters: JSONObject = [
            "experiment": .string(experiment.name),
            "arm": .string(assignment.arm.rawValue),
            "subject": .string(subject.pseudonym),
            "revision": .string(experiment.revision.hexDigits),
        ]
        sink.log(
            AnalyticsEvent(
                name: Self.exposure, timestamp: wallClock.now(), parameters: parameters, subject: subject.pseudonym))
    }
}
