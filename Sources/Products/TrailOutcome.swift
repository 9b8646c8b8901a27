/// What one provider did about one request. The set is closed, so it can label metrics.
public enum TrailOutcome: Sendable, Hashable, CustomStringConvertible {
    /// It had a fresh answer itself.
    case hit
    /// It had an answer whose freshness has ended.
    case stale
    /// It had no answer.
    case miss
    /// It fetched an answer from its source.
    case fetched
    /// Its source answered with what was there already.
    case unchanged
    /// It chose, or fell back to, the branch of this role.
    case chose(role: String)
    /// It chose the branch of this role, which is meant for other requests, because the one for this request failed.
    case substituted(role: String)
    /// It has the answer saved, behind it.
    case saving
    /// It logged an event for the answer.
    case logged
    /// It found the answer acceptable.
    case accepted
    /// It asked its upstream more than once before there was an answer.
    case retried
    /// It made the answer wait, on purpose.
    case delayed
    /// It failed; shown as the failure's ``ProductsFailure/token``, such as `refused`, `timeout` or `status-503`.
    case failed(ProductsFailure)
    /// It was not asked, or left its work out.
    case skipped

    /// The token that stands after the node's name in a trail; a failure shows as its reason alone.
    public var description: String {
        switch self {
        case .hit: "hit"
        case .stale: "stale"
        case .miss: "miss"
        case .fetched: "fetched"
        case .unchanged: "unchanged"
        case .chose(let role), .substituted(let role): role
        case .saving: "saving"
        case .logged: "logged"
        case .accepted: "accepted"
        case .retried: "retried"
        case .delayed: "delayed"
        case .failed(let failure): failure.token
        case .skipped: "skipped"
        }
    }
}
