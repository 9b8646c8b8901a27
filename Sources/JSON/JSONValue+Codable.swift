extension JSONValue: Codable {
    /// Reads any value. From a ``JSONValueDecoder`` it comes through unchanged; from other decoders it is as exact as
    /// they are.
    public init(from decoder: any Decoder) throws {
        if let decoder = decoder as? JSONValueDecoder {
            self = decoder.value
        } else if let object = try? JSONObject(from: decoder) {
            self = .object(object)
        } else if var elements = try? decoder.unkeyedContainer() {
            self = .array(try Self.elements(in: &elements))
        } else {
            self = try Self.scalar(in: decoder)
        }
    }

    /// Writes the value, to a ``JSONByteEncoder`` without loss.
    public func encode(to encoder: any Encoder) throws {
        if let encoder = encoder as? JSONByteEncoder {
            JSONWriter.append(self, to: &encoder.sink.bytes)
            return
        }
        switch self {
        case .object(let object): try object.encode(to: encoder)
        case .array(let elements): try elements.encode(to: encoder)
        case .number(let number): try number.encode(to: encoder)
        case .string(let string): try string.encode(to: encoder)
        case .bool(let bool): try bool.encode(to: encoder)
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        }
    }

    /// The elements are not first asked for null by the container: some decoders' containers go on to the next element
    /// when they are.
    private static func elements(in container: inout any UnkeyedDecodingContainer) throws -> [JSONValue] {
        var elements: [JSONValue] = []
        while !container.isAtEnd {
            elements.append(try container.decode(JSONValue.self))
        }
        return elements
    }

    private static func scalar(in decoder: any Decoder) throws -> JSONValue {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() { return .null }
        if let bool = try? container.decode(Bool.self) { return .bool(bool) }
        if let number = try? JSONNumber(from: decoder) { return .number(number) }
        return .string(try container.decode(String.self))
    }
}
