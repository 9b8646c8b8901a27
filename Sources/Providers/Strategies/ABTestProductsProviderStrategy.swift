internal import FoundationEssentials
internal import Hashing
package import Products
internal import Text

/// Chooses between two providers by the decision of an A/B test.
///
/// A failure of the chosen arm passes through. With `failover` the other arm answers instead: the trail says so, and a
/// `memory` above prefers a servable catalogue of the own arm. When both fail, the own arm's failure is thrown.
package struct ABTestProductsProviderStrategy: ProductsProvider {
    private let name: String
    private let decision: any ABTestDecision
    private let a: any ProductsProvider
    private let b: any ProductsProvider
    private let failover: Bool

    /// - Parameter failover: whether subjects may get the other arm, which contaminates the experiment.
    package init(
        name: String = "ab_test", decision: any ABTestDecision, a: any ProductsProvider, b: any ProductsProvider,
        failover: Bool = false
    ) {
        (self.name, self.decision, self.failover) = (name, decision, failover)
        (self.a, self.b) = (a, b)
    }

    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        let arm = decision.arm(of: request)
        do {
            return try await ask(arm, request).passingLease()
                .adding(TrailStep(node: name, outcome: .chose(role: arm.rawValue)))
        } catch {
            let failure = ProductsFailure(error)
            guard failover, FailureClass(failure) != nil else { throw error }
            let step = TrailStep(node: name, outcome: .substituted(role: arm.other.rawValue))
            guard let answer = try await substitute(arm.other, request) else { throw failure }
            return answer.adding(step).preceded(by: [TrailStep(node: name, outcome: .failed(failure))])
        }
    }

    /// Returns the other arm's answer; nil if that fails too.
    private func substitute(_ arm: ABTestArm, _ request: ProductsRequest) async throws -> ProductsAnswer? {
        do { return try await ask(arm, request) } catch is ProductsFailure { return nil }
    }

    private func ask(_ arm: ABTestArm, _ request: ProductsRequest) async throws -> ProductsAnswer {
        try await (arm == .a ? a : b).products(for: request)
    }
}

/// Decides which arm of an A/B test a request gets.
///
/// The decision depends on one request header at most, so that memories and caches can keep the arms' answers apart.
package protocol ABTestDecision: Sendable {
    /// Returns the arm of a request, the same for every request with the same headers.
    func arm(of request: ProductsRequest) -> ABTestArm
}

/// An arm of an A/B test. The raw value is its name in the config, in trails and in events.
package enum ABTestArm: String, Sendable, CaseIterable {
    /// The control.
    case a
    /// The variant under test.
    case b

    var other: ABTestArm { self == .a ? .b : .a }
}

extension RequestVariation {
    /// A variation by the arm that the header's value leads to.
    fileprivate init(header: String, rule: String, arm: @escaping @Sendable (String?) -> ABTestArm) {
        let variants = ABTestArm.allCases.map(\.rawValue)
        self.init(header: header, rule: rule, variants: variants) { arm($0) == .a ? 0 : 1 }
    }
}

/// The decision of an outside service, such as a gateway or a flag service, which names the arm in a request header.
package struct HeaderABTestDecision: ABTestDecision {
    private let experiment: String
    /// The header's name, in lower case.
    private let header: String

    /// - Parameter header: the request header whose value is `a` or `b`, in any case.
    package init(experiment: String, header: String) {
        self.experiment = experiment
        self.header = header.lowercased()
    }

    package var variation: RequestVariation {
        RequestVariation(header: header, rule: "arm of \(experiment)", arm: Self.arm)
    }

    /// Returns the arm that the header names; the control if it names none.
    package func arm(of request: ProductsRequest) -> ABTestArm { Self.arm(request.headers[header]) }

    private static func arm(_ value: String?) -> ABTestArm {
        value.flatMap { ABTestArm(rawValue: $0.trimmedHeaderValue.lowercased()) } ?? .a
    }
}

/// The split of subjects between the arms of an A/B test by a hash.
///
/// The split is sticky: it depends only on the experiment's name and the subject, so every replica and every restart
/// finds the same arm, and two experiments split the same subjects independently. Raising the share of `a` moves
/// subjects from `b` to `a` and none the other way.
package struct Experiment: ABTestDecision {
    /// The arm of a request, and its subject.
    struct Assignment: Sendable, Hashable {
        let arm: ABTestArm
        /// The subject's pseudonym; nil for a request without a subject.
        let subject: ExperimentSubject?
    }

    package let name: String
    /// The request header that holds the subject, in lower case.
    let header: String
    /// From 0 to 1.
    package let shareOfA: Double
    /// Identifies the settings of the experiment.
    let revision: UInt32
    /// The prefix of a subject's digest.
    private let seed: [UInt8]

    /// - Parameter header: the request header that holds the subject, in any case.
    package init(name: String, header: String, shareOfA: Double) {
        let header = header.lowercased()
        self.name = name
        self.header = header
        self.shareOfA = shareOfA
        revision = UInt32(truncatingIfNeeded: SHA256Digest(of: "\(name)\n\(header)\n\(shareOfA)".utf8).words[0] >> 32)
        seed = Array("\(name)\n".utf8)
    }

    /// Returns the arm of the subject in a header's value.
    ///
    /// A request without a subject, because the header is missing or empty, gets the control, `a`, unless the share of
    /// `a` is 0. A random split would not be sticky.
    func assignment(of value: String?) -> Assignment {
        guard let subject = value?.trimmedHeaderValue, !subject.isEmpty else {
            return Assignment(arm: shareOfA > 0 ? .a : .b, subject: nil)
        }
        let words = SHA256Digest(of: seed + subject.utf8).words
        return Assignment(
            arm: Self.fraction(words[0]) < shareOfA ? .a : .b,
            subject: ExperimentSubject(high: words[1], low: words[2]))
    }

    /// Returns the assignment of a request by its subject.
    func assignment(of request: ProductsRequest) -> Assignment { assignment(of: request.headers[header]) }

    package func arm(of request: ProductsRequest) -> ABTestArm { assignment(of: request).arm }

    /// The variation of answers by the arm of their subject.
    package var variation: RequestVariation {
        RequestVariation(header: header, rule: "experiment \(name)") { assignment(of: $0).arm }
    }

    /// Maps the number to the range from 0 to below 1, with all the digits that fit.
    private static func fraction(_ number: UInt64) -> Double {
        Double(number >> 11) * 0x1p-53
    }
}

/// A subject within an experiment: half of the digest that splits it, as two numbers.
struct ExperimentSubject: Sendable, Hashable {
    let high: UInt64
    let low: UInt64

    /// The subject in events: 32 hexadecimal digits, stable within an experiment, unrelated in another one.
    var pseudonym: String { high.hexDigits + low.hexDigits }
}
