extension JSONObject: Codable {
    /// Reads an object. From a ``JSONValueDecoder`` it comes through unchanged; from other decoders its order is
    /// theirs.
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
