public import FoundationEssentials
import JSON

/// Why a provider has no answer: the one error type of the graph.
///
/// The set is closed so that strategies, metrics and HTTP statuses can be decided by it. Nothing in it goes to clients:
/// `description` is for operators, `token` for labels.
public enum ProductsFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// No answer came back.
    case unreachable(UnreachableReason, detail: String, at: FailureSource = .unknown)
    /// No answer came back in time.
    case timedOut(after: Duration?, at: FailureSource = .unknown)
    /// The upstream answered with a status that is not a success.
    case upstreamStatus(Int, retryAfter: Duration?, at: FailureSource = .unknown)
    /// The upstream's redirects do not end.
    case tooManyRedirects(limit: Int, at: FailureSource = .unknown)
    /// The answer is longer than is accepted.
    case tooLarge(limit: Int, at: FailureSource = .unknown)
    /// The answer is not a catalogue; the detail says what was found and where.
    case malformed(detail: String, at: FailureSource = .unknown)
    /// The answer is a catalogue, but not one to believe.
    case refused(RefusalReason, at: FailureSource = .unknown)
    /// Nothing has been stored yet.
    case notStored
    /// The store cannot be used; the detail names file and cause. `answered` is false where its disk gave neither data
    /// nor an error in time, so that nothing is known of what is stored.
    case storeFailed(detail: String, answered: Bool = true)
    /// Nothing can be served, and the upstream, which failed for the reason that the token names, is left alone for
    /// a while. `since` is when the last good catalogue, too old by now, was confirmed.
    case unavailable(reason: String, since: Date?, retryAfter: Duration)
    /// A circuit breaker does not let the upstream be asked, since it failed too often.
    case circuitOpen(retryAfter: Duration)
    /// More requests are under way than a limit allows.
    case overloaded(limit: Int)
    /// The one who asked no longer wants the answer.
    case cancelled

    /// The sentence for operators.
    public var description: String { source.completing(sentence) }

    private var sentence: String {
        switch self {
        case .unreachable(let reason, let detail, _): "upstream unreachable (\(reason.rawValue)): \(detail)"
        case .timedOut(let limit, let source):
            (limit.map { "no answer within \($0.rounded)" } ?? "no answer in time")
                + (source.url.map { " from \($0)" } ?? "")
        case .upstreamStatus(let status, let retryAfter, let source):
            (source.url.map { "\(status) from \($0)" } ?? "upstream answered \(status)")
                + (retryAfter.map { ", and to retry after \($0.rounded)" } ?? "")
        case .tooManyRedirects(let limit, _): "upstream redirected more than \(limit) times"
        case .tooLarge(let limit, _): "the answer is longer than \(limit) bytes"
        case .malformed(let detail, _): "not a catalogue: \(detail)"
        case .refused(let reason, _): "catalogue refused: \(reason)"
        case .notStored: "nothing has been stored yet"
        case .storeFailed(let detail, _): "store failed: \(detail)"
        case .unavailable(let reason, let since, let retryAfter):
            Self.nothing(since) + "; the upstream failed (\(reason)) and is asked again after \(retryAfter.rounded)"
        case .circuitOpen(let retryAfter): "the circuit breaker is open; it tries again after \(retryAfter.rounded)"
        case .overloaded(let limit): "more than \(limit) requests are under way"
        case .cancelled: "cancelled"
        }
    }

    /// The sentence for whoever asked once, to whom it means nothing when the upstream is asked again.
    ///
    /// - Parameter cause: gives what became of asking the upstream, in words, for the token of it that `unavailable`
    ///   holds; nil when that is not known.
    public func description(causedBy cause: (String) -> String?) -> String {
        guard case .unavailable(let reason, let since, _) = self else { return description }
        return Self.nothing(since) + "; " + (cause(reason) ?? "the upstream failed (\(reason))")
    }

    private static func nothing(_ since: Date?) -> String {
        "nothing to serve"
            + (since.map { ": the last good catalogue, of \($0.formatted(.iso8601)), is too old" } ?? "")
    }

    /// The bounded label for metrics and trails: `refused`, `timeout`, `status-503`, …
    public var token: String {
        switch self {
        case .unreachable(let reason, _, _): reason.rawValue
        case .timedOut: "timeout"
        case .upstreamStatus(let status, _, _): "status-\(status)"
        case .tooManyRedirects: "redirects"
        case .tooLarge: "too-large"
        case .malformed: "malformed"
        case .refused(let reason, _): reason.token
        case .notStored: "not-stored"
        case .storeFailed: "store-failed"
        case .unavailable: "unavailable"
        case .circuitOpen: "circuit-open"
        case .overloaded: "overloaded"
        case .cancelled: "cancelled"
        }
    }

    /// Whether no exchange took place: what a reachability monitor counts.
    public var isConnectionFailure: Bool {
        switch self {
        case .unreachable, .timedOut: true
        default: false
        }
    }

    /// How long the upstream asked to be left alone.
    public var retryAfter: Duration? {
        switch self {
        case .upstreamStatus(_, let retryAfter, _): retryAfter
        case .unavailable(_, _, let retryAfter), .circuitOpen(let retryAfter): retryAfter
        default: nil
        }
    }

    /// The status the upstream answered with, where the failure is one.
    public var upstreamStatus: Int? {
        guard case .upstreamStatus(let status, _, _) = self else { return nil }
        return status
    }

    /// What an error that decoding threw means for a catalogue.
    init(decoding error: any Error) {
        self =
            switch error {
            case let failure as ProductsFailure: failure
            case let error as JSONSyntaxError: .malformed(detail: "invalid JSON at \(error)")
            case let error as DecodingError: .malformed(detail: error.jsonSummary)
            default: .malformed(detail: "\(error)")
            }
    }
}

/// Why no answer came back from an upstream. The raw value is a metric label.
public enum UnreachableReason: String, Sendable, Hashable, CaseIterable {
    /// The connection was refused.
    case refused
    /// The connection was reset.
    case reset
    /// The upstream's name could not be resolved.
    case dns
    /// No secure connection could be made.
    case tls
    /// The connection ended before the whole answer had come.
    case truncated
    /// A monitor says the upstream is away, so it was not asked.
    case offline
    /// Anything else below HTTP.
    case other
}

extension Duration {
    /// The duration as sentences have it, no more exact than anybody cares for: `30s`, `1.5s`, `0.9s`, `50ms`.
    var rounded: String {
        let (seconds, attoseconds) = components
        if seconds >= 10 { return "\(seconds + (attoseconds >= 500_000_000_000_000_000 ? 1 : 0))s" }
        let thousandths = Int((Double(seconds) * 1000 + Double(attoseconds) / 1e15).rounded())
        if (1..<100).contains(thousandths) { return "\(thousandths)ms" }
        let tenths = (thousandths + 50) / 100
        return tenths % 10 == 0 ? "\(tenths / 10)s" : "\(tenths / 10).\(tenths % 10)s"
    }
}
