extension DecodingError {
    /// What is wrong and where, as `[7312].price.amount: expected a number, found a string`.
    public var jsonSummary: String {
        switch self {
        case .keyNotFound(let key, let context): "\(CodingPathText(context.codingPath + [key])): missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            "\(CodingPathText(context.codingPath)): \(context.debugDescription)"
        @unknown default: "\(self)"
        }
    }
}

extension EncodingError {
    /// What is wrong and where, as `price.amount: NaN is not a number`.
    public var jsonSummary: String {
        switch self {
        case .invalidValue(_, let context): "\(CodingPathText(context.codingPath)): \(context.debugDescription)"
        @unknown default: "\(self)"
        }
    }
}
