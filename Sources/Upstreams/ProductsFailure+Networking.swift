internal import Networking
internal import Products

extension ProductsFailure {
    /// Converts the error of a failed exchange.
    init(_ error: HTTPClientError, limits: HTTPClientLimits) {
        self =
            switch error {
            case .resolve: .unreachable(.dns, detail: "\(error)")
            case .refused: .unreachable(.refused, detail: "\(error)")
            case .reset: .unreachable(.reset, detail: "\(error)")
            case .tls: .unreachable(.tls, detail: "\(error)")
            case .proxy: .unreachable(.proxy, detail: "\(error)")
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
            case .status(let response, let page):
                ProductsFailure(status: response).from(FailureSource(page: page))
            case _ where error.isInconsistency: .refused(.inconsistentPages(detail: "\(error)"))
            default: .malformed(detail: "\(error)")
            }
    }

    /// Converts an unsuccessful response.
    init(status response: HTTPClientResponse) {
        self = .upstreamStatus(response.status, retryAfter: response.retryAfter)
    }
}
