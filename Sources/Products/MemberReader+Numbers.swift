import JSON

extension MemberReader {
    func integerIfPresent(_ name: String) throws -> Int? {
        guard let value = present(name) else { return nil }
        guard case .number(let number) = value else { throw mismatch(name, value, expected: "a number") }
        guard let integer = number.integer else {
            throw corrupted(name, "\(TextExcerpt(number.literal)) is not an integer that fits Int")
        }
        return integer
    }

    /// A decimal from a number, or from a string that holds one, to the digit.
    func decimal(_ name: String) throws -> ExactDecimal {
        try decimal(name, member(name))
    }

    func decimalIfPresent(_ name: String) throws -> ExactDecimal? {
        try present(name).map { try decimal(name, $0) }
    }

    /// The decimals of an array.
    func decimals(_ name: String) throws -> [ExactDecimal] {
        let value = try member(name)
        guard case .array(let elements) = value else { throw mismatch(name, value, expected: "an array") }
        return try elements.enumerated().map { try decimal(name, $1, at: $0) }
    }

    private func decimal(_ name: String, _ value: JSONValue, at index: Int? = nil) throws -> ExactDecimal {
        guard let number = value.number ?? value.string.flatMap(JSONNumber.init(literal:)) else {
            throw mismatch(name, value, expected: "a number", at: index)
        }
        guard let decimal = ExactDecimal(number) else {
            throw corrupted(name, "\(TextExcerpt(number.literal)) cannot be kept to the digit", at: index)
        }
        return decimal
    }
}
