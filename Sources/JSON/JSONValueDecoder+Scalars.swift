extension JSONValueDecoder {
    func string() throws -> String {
        guard case .string(let string) = value else { throw mismatch(String.self, expected: "a string") }
        return string
    }

    func bool() throws -> Bool {
        guard case .bool(let bool) = value else { throw mismatch(Bool.self, expected: "a boolean") }
        return bool
    }

    func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) throws -> Integer {
        guard case .number(let number) = value else { throw mismatch(type, expected: "a number") }
        guard let integer = number.exactInteger(as: type) else {
            throw corrupted("\(number.literal) is not an integer that fits \(type)")
        }
        return integer
    }

    func double() throws -> Double {
        guard case .number(let number) = value else { throw mismatch(Double.self, expected: "a number") }
        guard let double = number.double else { throw corrupted("\(number.literal) is too big") }
        return double
    }

    func float() throws -> Float {
        let float = Float(try double())
        guard float.isFinite else { throw corrupted("\(value) is too big") }
        return float
    }

    func mismatch(_ type: Any.Type, expected: String) -> DecodingError {
        let context = DecodingError.Context(
            codingPath: codingPath, debugDescription: "expected \(expected), found \(value.kindName)")
        return value.isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    private func corrupted(_ description: String) -> DecodingError {
        .dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: description))
    }
}
