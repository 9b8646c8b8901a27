import FoundationEssentials

extension ProductsFailure: CustomStringConvertible {
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
}
