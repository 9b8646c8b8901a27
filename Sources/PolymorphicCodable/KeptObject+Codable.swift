extension KeptObject: Codable {
    /// Reads all members.
    public init(from decoder: any Decoder) throws {
        try self.init(in: decoder.container(keyedBy: KeptKey.self))
    }

    init(in container: KeyedDecodingContainer<KeptKey>) throws {
        self.init(
            members: try container.allKeys.map { key in
                (key.stringValue, try container.decode(KeptValue.self, forKey: key))
            })
    }

    /// Writes the members in their order.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: KeptKey.self)
        for name in names {
            guard let value = self[name] else { continue }
            try container.encode(value, forKey: KeptKey(stringValue: name))
        }
    }
}
