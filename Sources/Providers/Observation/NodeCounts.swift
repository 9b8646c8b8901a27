public import FoundationEssentials

/// What became of the calls of one provider, since the service started or the provider came into the config.
public struct NodeCounts: Sendable, Hashable {
    /// How often it was asked.
    public let calls: Int
    /// How often it answered.
    public let answers: Int
    /// How many of the answers came from what a `memory`, it or one below it, had at hand.
    public let hits: Int
    /// How often it failed.
    public let failures: Int
    /// How many calls were given up by whoever asked.
    public let cancellations: Int
    /// How many calls have not ended yet.
    public let inFlight: Int
    /// When the source had confirmed the products of its last answer.
    public let lastConfirmed: Date?
    /// Its last failure, also when it has answered since.
    public let lastFailure: NodeFailure?

    /// The share of the answers that were hits, from 0 to 1; nil before the first answer.
    public var hitRatio: Double? { answers > 0 ? Double(hits) / Double(answers) : nil }
}
