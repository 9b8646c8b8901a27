internal import Products

/// What the outcome of a question says about the upstream itself: what `retry` and `circuit_breaker` decide by.
enum UpstreamVerdict: Sendable, Hashable {
    /// It was there and answered, if only with something that is no use: asking again would bring the same, and
    /// leaving it alone would help nobody.
    case works
    /// It did not answer, or said that it cannot at the moment: no connection, none in time, a 5xx or a 429.
    case failing(ProductsFailure)
    /// Nothing, because it was not asked, or nobody waited for what it says.
    case unknown

    /// The verdict on a question that ended like this; without a failure there was an answer.
    init(_ failure: ProductsFailure?) {
        guard let failure else {
            self = .works
            return
        }
        self =
            switch failure {
            case .unreachable(.offline, _, _): .unknown
            case .unreachable, .timedOut: .failing(failure)
            case .upstreamStatus(let status, _, _): status >= 500 || status == 429 ? .failing(failure) : .works
            case .malformed, .tooManyRedirects, .tooLarge, .refused: .works
            case .notStored, .storeFailed, .unavailable, .circuitOpen, .overloaded, .cancelled: .unknown
            }
    }
}
