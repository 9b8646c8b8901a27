public import Products

/// The failures that a config file can ask for. The raw value of each is the failure's `token`.
public enum FaultKind: String, Sendable, CaseIterable {
    /// No failure at all.
    case none
    /// The connection is refused.
    case refused
    /// The connection breaks.
    case reset
    /// The name cannot be resolved.
    case dns
    /// The answer ends too soon.
    case truncated
    /// The answer does not come in time.
    case timeout
    /// There is nothing by that name.
    case status404 = "status-404"
    /// Too many requests.
    case status429 = "status-429"
    /// The upstream has an error.
    case status500 = "status-500"
    /// The upstream is overloaded or down.
    case status503 = "status-503"
    /// The answer is no catalogue.
    case malformed
    /// The catalogue has no products.
    case empty

    /// The failure as a provider throws it; nil for ``none``.
    public var failure: ProductsFailure? {
        let detail = "failing on purpose"
        return switch self {
        case .none: nil
        case .refused: .unreachable(.refused, detail: detail)
        case .reset: .unreachable(.reset, detail: detail)
        case .dns: .unreachable(.dns, detail: detail)
        case .truncated: .unreachable(.truncated, detail: detail)
        case .timeout: .timedOut(after: nil)
        case .status404: .upstreamStatus(404, retryAfter: nil)
        case .status429: .upstreamStatus(429, retryAfter: nil)
        case .status500: .upstreamStatus(500, retryAfter: nil)
        case .status503: .upstreamStatus(503, retryAfter: nil)
        case .malformed: .malformed(detail: detail)
        case .empty: .refused(.empty(count: 0, minimum: 1))
        }
    }
}
