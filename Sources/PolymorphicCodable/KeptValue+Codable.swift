extension KeptValue: Codable {
    /// Reads any value, by asking the decoder for one form after the other.
    public init(from decoder: any Decoder) throws {
        if let scalar = Self.scalar(in: decoder) {
            self = scalar
        } else if var container = try? decoder.unkeyedContainer() {
            self = .array(try Self.elements(in: &container))
        } else if let container = try? decoder.container(keyedBy: KeptKey.self) {
            self = .object(try KeptObject(in: container))
        } else {
            let context = DecodingError.Context(
                codingPath: decoder.codingPath, debugDescription: "not a value that can be kept")
            throw DecodingError.dataCorrupted(context)
        }
    }

    /// Writes the value.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .array(let elements): try Self.encode(elements, to: encoder)
        case .object(let object): try object.encode(to: encoder)
        default:
            var container = encoder.singleValueContainer()
            try encodeScalar(into: &container)
        }
    }

    private static func scalar(in decoder: any Decoder) -> KeptValue? {
        guard let container = try? decoder.singleValueContainer() else { return nil }
        if container.decodeNil() { return .null }
        if let bool = try? container.decode(Bool.self) { return .bool(bool) }
        if let integer = try? container.decode(Int64.self) { return .integer(integer) }
        if let integer = try? container.decode(UInt64.self) { return .unsigned(integer) }
        if let double = try? container.decode(Double.self) { return .double(double) }
        return (try? container.decode(String.self)).map(KeptValue.string)
    }

    /// The elements are not first asked for null by the container: some decoders' containers go on to the next element
    /// when they are.
    private static func elements(in container: inout any UnkeyedDecodingContainer) throws -> [KeptValue] {
        var elements: [KeptValue] = []
        while !container.isAtEnd {
            elements.append(try container.decode(KeptValue.self))
        }
        return elements
    }

    private static func encode(_ elements: [KeptValue], to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for element in elements {
            try container.encode(element)
        }
    }

    private func encodeScalar(into container: inout any SingleValueEncodingContainer) throws {
        switch self {
        case .null, .array, .object: try container.encodeNil()
        case .bool(let bool): try container.encode(bool)
        case .integer(let integer): try container.encode(integer)
        case .unsigned(let integer): try container.encode(integer)
        case .double(let double): try container.encode(double)
        case .string(let string): try container.encode(string)
        }
    }
}
