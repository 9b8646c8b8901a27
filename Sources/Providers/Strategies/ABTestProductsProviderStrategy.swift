package import Analytics
package import Concurrency
package import Configuration
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
    package static let spec = ComponentSpec<ProviderFamily>(
        type: "ab_test",
        summary: "a sticky split of subjects between a and b; answers vary by the subject",
        fields: [
            .required("experiment", .string, "the experiment's name; another name is another split"),
            .required("subject", .string, "the request header that tells the subject; requests without one get a"),
            .defaulted("share_a", .ratio, "0.5", "the share of subjects that get a; the others get b"),
            .required("a", .component(ProviderFamily.self), "the control"),
            .required("b", .component(ProviderFamily.self), "what is tried"),
            .optional(
                "sink", .component(SinkFamily.self),
                "where experiment_exposure goes, once per subject; no events when absent"),
        ],
        example: """
            { type: ab_test, experiment: new-prices, subject: X-User, share_a: 0.9, sink: { type: log }, \
            a: { type: http, request: { base_url: "http://shop.example" } }, \
            b: { type: http, request: { base_url: "http://new.shop.example" } } }
            """,
        plan: { reader in
            let subject = reader.requestHeader("subject")
            let experiment = Experiment(
                name: reader.string("experiment"), header: subject, shareOfA: reader.ratio("share_a"))
            let a = reader.component("a", ProviderFamily.self)
            let b = reader.component("b", ProviderFamily.self)
            let sink = reader.optionalComponent("sink", SinkFamily.self)
            reader.varies(variation(of: experiment, by: subject))
            let name = reader.name
            return { assembly in
                ABTestProductsProviderStrategy(
                    name: name, experiment: experiment.name, subject: subject, shareOfA: experiment.shareOfA,
                    a: try a.instantiate(in: assembly), b: try b.instantiate(in: assembly),
                    sink: try sink?.instantiate(in: assembly), wallClock: assembly.resource(WallClock.self))
            }
        })

    private static func variation(of experiment: Experiment, by subject: String) -> RequestVariation {
        RequestVariation(
            header: subject, rule: "experiment \(experiment.name)", variants: ExperimentArm.allCases.map(\.rawValue)
        ) { value in
            experiment.arm(of: value).rawValue
        }
    }

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
            let answer = try await provider(of: assignment.arm).products(for: request)
            recordExposure(assignment, request)
            return answer.passingLease(use: recordingExposure).adding(
                TrailStep(node: name, outcome: .chose(role: assignment.arm.rawValue)))
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
            return try await provider(of: arm.other).products(for: request)
                .adding(TrailStep(node: name, outcome: .substituted(role: arm.other.rawValue)))
                .preceded(by: [TrailStep(node: name, outcome: .failed(failure))])
        } catch is ProductsFailure {
            throw failure
        }
    }

    private func provider(of arm: ExperimentArm) -> any ProductsProvider { arm == .a ? a : b }

    /// Records the exposure of a request that is answered from a lease; nil where exposures are not logged.
    private var recordingExposure: ProductsLease.Use? {
        guard sink != nil else { return nil }
        return { request, _ in recordExposure(experiment.assignment(of: request.headers[subject]), request) }
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
