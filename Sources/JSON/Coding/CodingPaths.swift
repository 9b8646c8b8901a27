internal import Text

/// A step of a coding path: an index, or a name from the document.
package enum JSONPathKey: CodingKey, Hashable {
    /// The place of an element in an array.
    case index(Int)
    /// The name of a member of an object.
    case name(String)

    package init(stringValue: String) {
        self = .name(stringValue)
    }

    package init(intValue: Int) {
        self = .index(intValue)
    }

    /// The name, or the index in digits.
    package var stringValue: String {
        switch self {
        case .index(let index): "\(index)"
        case .name(let name): name
        }
    }

    /// The index, if it is one.
    package var intValue: Int? {
        if case .index(let index) = self { index } else { nil }
    }
}

extension DecodingError {
    /// Place and fault, as `[7312].price.amount: expected a number, found a string`.
    package var jsonSummary: String {
        switch self {
        case .keyNotFound(let key, let context): "\(CodingPathText(context.codingPath + [key])): missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            "\(CodingPathText(context.codingPath)): \(context.debugDescription)"
        @unknown default: "\(self)"
        }
    }
}

extension EncodingError {
    /// Place and fault, as `price.amount: NaN is not a number`.
    package var jsonSummary: String {
        switch self {
        case .invalidValue(_, let context): "\(CodingPathText(context.codingPath)): \(context.debugDescription)"
        @unknown default: "\(self)"
        }
    }
}
