extension ProductsFailure {
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
}
