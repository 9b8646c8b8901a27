extension ProductsFailure {
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
}
