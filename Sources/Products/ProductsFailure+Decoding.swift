import JSON

extension ProductsFailure {
    /// What an error that decoding threw means for a catalogue.
    init(decoding error: any Error) {
        self =
            switch error {
            case let failure as ProductsFailure: failure
            case let error as JSONSyntaxError: .malformed(detail: "invalid JSON at \(error)")
            case let error as DecodingError: .malformed(detail: error.jsonSummary)
            default: .malformed(detail: "\(error)")
            }
    }
}
