extension JSONValue {
    /// The value as JSON, without white space.
    public func encoded() -> [UInt8] {
        var bytes: [UInt8] = []
        JSONWriter.append(self, to: &bytes)
        return bytes
    }
}

extension JSONValue: CustomStringConvertible {
    /// The value as JSON.
    public var description: String { String(decoding: encoded(), as: UTF8.self) }
}
