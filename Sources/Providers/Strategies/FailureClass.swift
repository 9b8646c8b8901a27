public import Products

/// The kinds of failure that a config file can tell apart.
public enum FailureClass: String, Sendable, CaseIterable {
    /// No connection, or it broke.
    case unreachable
    /// No answer in time.
    case timeout
    /// An answer with a status that is not a success.
    case status
    /// An answer that is no catalogue.
    case malformed
    /// A catalogue that breaks an invariant.
    case refused
    /// Nothing stored, or nothing that may be served.
    case unavailable

    /// The class of a failure; `nil` for a cancellation, on which nobody falls back.
    public init?(_ failure: ProductsFailure) {
        switch failure {
        case .unreachable: self = .unreachable
        case .timedOut: self = .timeout
        case .upstreamStatus: self = .status
        case .malformed, .tooManyRedirects, .tooLarge: self = .malformed
        case .refused: self = .refused
        case .notStored, .storeFailed, .unavailable, .circuitOpen, .overloaded: self = .unavailable
        case .cancelled: return nil
        }
    }
}
