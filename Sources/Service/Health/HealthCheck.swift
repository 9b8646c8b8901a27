internal import JSON

/// One of the things that a probe looks at, as it was found.
struct HealthCheck: Sendable {
    /// A side of it that has a state of its own, and perhaps a number.
    struct Aspect: Sendable {
        /// The check's name, and what was looked at: `catalogue:age`.
        let name: String
        let status: HealthStatus
        var value: JSONValue?
        var unit: String?
        /// What is wrong, in words; nil while nothing is.
        var output: String?
    }

    /// By what a probe can leave it out.
    let name: String
    /// What there is to say of it while it passes.
    var facts: String?
    /// What is wrong; nil while nothing is.
    var failure: String?
    /// The failure as the whole answer of a probe that asks for no more.
    var complaint: String?
    let aspects: [Aspect]
    /// Whether it was left out, and so passes.
    var isExcluded = false

    /// The worst that there is to say of it.
    var status: HealthStatus {
        if isExcluded { return .pass }
        return failure == nil ? aspects.map(\.status).max() ?? .pass : .fail
    }
}
