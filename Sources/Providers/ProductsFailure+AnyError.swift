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
