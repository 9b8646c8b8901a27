extension JSONNumber: Codable {
    /// Reads a number. From a ``JSONValueDecoder`` it comes through as it was written; from other decoders it is an
    /// integer if they can read one, and a binary fraction if not.
    public init(from decoder: any Decoder) throws {
        if let decoder = decoder as? JSONValueDecoder {
            guard let number = decoder.value.number else {
                throw decoder.mismatch(JSONNumber.self, expected: "a number")
            }
            self = number
            return
        }
        let container = try decoder.singleValueContainer()
        if let integer = try? container.decode(Int64.self) {
            self.init(integer)
        } else if let integer = try? container.decode(UInt64.self) {
            self.init(integer)
        } else if let number = JSONNumber(try container.decode(Double.self)) {
            self = number
        } else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a finite number")
        }
    }

    /// Writes the number, to a ``JSONByteEncoder`` as it was written.
    public func encode(to encoder: any Encoder) throws {
        if let encoder = encoder as? JSONByteEncoder {
            encoder.sink.bytes.append(contentsOf: literal.utf8)
        } else if let integer: Int64 = exactInteger() {
            try integer.encode(to: encoder)
        } else if let integer: UInt64 = exactInteger() {
            try integer.encode(to: encoder)
        } else if let double {
            try double.encode(to: encoder)
        } else {
            let context = EncodingError.Context(
                codingPath: encoder.codingPath, debugDescription: "\(literal) is too big for this encoder")
            throw EncodingError.invalidValue(self, context)
        }
    }
}
