internal import Networking
internal import Products

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
