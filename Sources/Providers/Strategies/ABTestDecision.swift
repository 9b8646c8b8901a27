package import Products

/// Decides which arm of an A/B test a request gets.
///
/// The decision depends on one request header at most, so that memories and caches can keep the arms' answers apart.
package protocol ABTestDecision: Sendable {
    /// The division of requests by their arm.
    var variation: RequestVariation { get }
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
        RequestVariation(
            header: header, rule: "arm of \(experiment)", variants: ABTestArm.allCases.map(\.rawValue)
        ) { Self.arm($0).rawValue }
    }

    /// Returns the arm that the header names; the control where it names none.
    package func arm(of request: ProductsRequest) -> ABTestArm { Self.arm(request.headers[header]) }

    private static func arm(_ value: String?) -> ABTestArm {
        value.flatMap { ABTestArm(rawValue: $0.trimmedHeaderValue.lowercased()) } ?? .a
    }
}
