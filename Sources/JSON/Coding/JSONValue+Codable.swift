extension JSONValue: Codable {
    /// Reads any value. A ``JSONValueDecoder`` passes it on unchanged; with other decoders it is as exact as they are.
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

    /// Does not check the elements for null first: with some decoders that advances the container.
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

extension JSONObject: Codable {
    /// Reads an object. A ``JSONValueDecoder`` passes it on unchanged; with other decoders its order is theirs.
    public init(from decoder: any Decoder) throws {
        if let decoder = decoder as? JSONValueDecoder {
            guard let object = decoder.value.object else {
                throw decoder.mismatch(JSONObject.self, expected: "an object")
            }
            self = object
            return
        }
        self.init()
        let container = try decoder.container(keyedBy: JSONPathKey.self)
        for key in container.allKeys {
            let value = try container.decodeNil(forKey: key) ? .null : container.decode(JSONValue.self, forKey: key)
            self[key.stringValue] = value
        }
    }

    /// Writes the members in their order.
    public func encode(to encoder: any Encoder) throws {
        if let encoder = encoder as? JSONByteEncoder {
            JSONWriter.append(self, to: &encoder.sink.bytes)
            return
        }
        var container = encoder.container(keyedBy: JSONPathKey.self)
        for member in members {
            try container.encode(member.value, forKey: .name(member.key))
        }
    }
}

extension JSONNumber: Codable {
    /// Reads a number. A ``JSONValueDecoder`` passes it on as written; other decoders return an integer if they can,
    /// and a binary fraction otherwise.
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
