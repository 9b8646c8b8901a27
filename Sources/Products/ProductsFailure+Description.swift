import FoundationEssentials

extension ProductsFailure: CustomStringConvertible {
    /// The sentence for operators.
    public var description: String {
        switch self {
        case .unreachable(let reason, let detail): "upstream unreachable (\(reason.rawValue)): \(detail)"
        case .timedOut(let limit): limit.map { "no answer within \($0)" } ?? "no answer in time"
        case .upstreamStatus(let status, let retryAfter):
            "upstream answered \(status)" + (retryAfter.map { ", and to retry after \($0)" } ?? "")
        case .tooManyRedirects(let limit): "upstream redirected more than \(limit) times"
        case .tooLarge(let limit): "the answer is longer than \(limit) bytes"
        case .malformed(let detail): "not a catalogue: \(detail)"
        case .refused(let reason): "catalogue refused: \(reason)"
        case .notStored: "nothing has been stored yet"
        case .storeFailed(let detail): "store failed: \(detail)"
        case .unavailable(let reason, let since, let retryAfter):
            "nothing to serve"
                + (since.map { ": the last good catalogue, of \($0.formatted(.iso8601)), is too old" } ?? "")
                + "; the upstream failed (\(reason)) and is asked again after \(retryAfter)"
        case .cancelled: "cancelled"
        }
    }
}
