internal import Networking
package import Products

extension ProductsFailure {
    /// Converts any error. An error that is not the graph's own counts as a malformed answer.
    init(_ error: any Error) {
        self =
            switch error {
            case let failure as ProductsFailure: failure
            case is CancellationError: .cancelled
            default: .malformed(detail: "\(error)")
            }
    }

    /// Converts the error of a failed exchange.
    init(_ error: HTTPClientError, limits: HTTPClientLimits) {
        self =
            switch error {
            case .resolve: .unreachable(.dns, detail: "\(error)")
            case .refused: .unreachable(.refused, detail: "\(error)")
            case .reset: .unreachable(.reset, detail: "\(error)")
            case .tls: .unreachable(.tls, detail: "\(error)")
            case .truncated: .unreachable(.truncated, detail: "\(error)")
            case .unreachable, .shutDown, .other: .unreachable(.other, detail: "\(error)")
            case .connectTimeout: .timedOut(after: limits.connectTimeout, isConnecting: true)
            case .timeout: .timedOut(after: limits.timeout)
            case .bodyTooLarge: .tooLarge(limit: limits.body)
            case .tooManyRedirects: .tooManyRedirects(limit: HTTPClientRequest.maxRedirects)
            case .redirectedAway, .protocolViolation: .malformed(detail: "\(error)")
            }
    }

    /// Converts the error of pages that do not fit together.
    init(_ error: PaginationError) {
        self =
            switch error {
            case .status(let response, _): ProductsFailure(status: response)
            case _ where error.isInconsistency: .refused(.inconsistentPages(detail: "\(error)"))
            default: .malformed(detail: "\(error)")
            }
    }

    /// Converts an unsuccessful response.
    init(status response: HTTPClientResponse) {
        self = .upstreamStatus(response.status, retryAfter: response.retryAfter)
    }
}

/// The classes of failure that `fallback` distinguishes.
package enum FailureClass: String, Sendable, CaseIterable {
    case unreachable
    case timeout
    /// A response with an unsuccessful status.
    case status
    /// A response that is not a catalogue.
    case malformed
    /// A catalogue that breaks an invariant.
    case refused
    /// No catalogue is stored, or none may be served.
    case unavailable

    /// Classifies a failure; nil for a cancellation, for which there is no fallback.
    package init?(_ failure: ProductsFailure) {
        switch failure {
        case .unreachable: self = .unreachable
        case .timedOut: self = .timeout
        case .upstreamStatus: self = .status
        case .malformed, .tooManyRedirects, .tooLarge: self = .malformed
        case .refused: self = .refused
        case .notStored, .storeFailed, .unavailable, .paused, .circuitOpen, .overloaded: self = .unavailable
        case .cancelled: return nil
        }
    }
}
