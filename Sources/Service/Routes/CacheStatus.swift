internal import FoundationEssentials
internal import Products

/// The `Cache-Status` header (RFC 9211) of an answer.
enum CacheStatus {
    /// The header's value at a moment.
    static func value(for answer: ProductsAnswer, at now: Date) -> String {
        guard let freshness = answer.freshness else { return "larder; fwd=bypass" }
        switch freshness.verdict {
        case .hit:
            let left = freshness.freshUntil.timeIntervalSince(answer.snapshot.reckoned(at: now))
            let ttl = Int(left.rounded(.down))
            return "larder; hit; ttl=\(ttl)" + (freshness.isOffline ? "; detail=offline" : "")
        case .forwarded(let reason, let status, let stored):
            return "larder; fwd=\(token(for: reason))" + (status.map { "; fwd-status=\($0)" } ?? "")
                + (stored ? "; stored" : "; detail=stale-if-error")
        }
    }

    private static func token(for reason: Freshness.ForwardReason) -> String {
        switch reason {
        case .miss: "uri-miss"
        case .stale: "stale"
        case .bypass: "bypass"
        }
    }
}
