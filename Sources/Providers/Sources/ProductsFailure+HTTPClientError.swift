internal import Networking
internal import Products

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
