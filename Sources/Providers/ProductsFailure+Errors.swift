internal import Networking
internal import Products

extension ProductsFailure {
    /// Any error as a failure: what is none of the graph's own counts as a broken answer.
    init(_ error: any Error) {
        self =
            switch error {
            case let failure as ProductsFailure: failure
            case is CancellationError: .cancelled
            default: .malformed(detail: "\(error)")
            }
    }
}

extension ProductsFailure {
    /// What a failed exchange means for who asked for products.
    init(_ error: HTTPClientError, limits: HTTPClientLimits) {
        self =
            switch error {
            case .resolve: .unreachable(.dns, detail: "\(error)")
            case .refused: .unreachable(.refused, detail: "\(error)")
            case .reset: .unreachable(.reset, detail: "\(error)")
            case .tls: .unreachable(.tls, detail: "\(error)")
            case .truncated: .unreachable(.truncated, detail: "\(error)")
            case .unreachable, .shutDown, .other: .unreachable(.other, detail: "\(error)")
            case .connectTimeout: .timedOut(after: limits.connectTimeout)
            case .timeout: .timedOut(after: limits.timeout)
            case .bodyTooLarge: .tooLarge(limit: limits.body)
            case .tooManyRedirects: .tooManyRedirects(limit: HTTPClientRequest.maxRedirects)
            case .redirectedAway, .protocolViolation: .malformed(detail: "\(error)")
            }
    }
}

extension ProductsFailure {
    /// What pages that make no whole mean for who asked for products.
    init(_ error: PaginationError) {
        self =
            switch error {
            case .status(let response, _): ProductsFailure(status: response)
            case _ where error.isInconsistency: .refused(.inconsistentPages(detail: "\(error)"))
            default: .malformed(detail: "\(error)")
            }
    }

    /// What a response that is no success means.
    init(status response: HTTPClientResponse) {
        self = .upstreamStatus(response.status, retryAfter: response.retryAfter)
    }
}
