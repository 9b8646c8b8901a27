/// Reads JSON texts, strictly by RFC 8259.
///
/// The text must be UTF-8; a byte order mark before it is skipped. Beyond the grammar, a name that an object uses twice
/// is refused, because what it means would depend on the reader, and so is half of a surrogate pair.
public struct JSONParser: Sendable {
    /// How deep arrays and objects may be nested.
    public let depthLimit: Int

    /// A parser. The depth limit keeps a hostile text from exhausting the stack.
    public init(depthLimit: Int = 512) {
        self.depthLimit = depthLimit
    }

    /// The value of a text.
    public func parse(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONValue {
        var reader = JSONReader(bytes, in: bytes.indices, depthLimit: depthLimit)
        reader.skipByteOrderMark()
        let value = try reader.value()
        try reader.finish()
        return value
    }

    /// The elements of an array, each with its place.
    /// - Parameter range: the part of `bytes` that is the array; ranges in the result count from the start of `bytes`.
    public func parseElements(_ bytes: [UInt8], in range: Range<Int>) throws(JSONSyntaxError) -> [JSONElement] {
        var reader = JSONReader(bytes, in: range, depthLimit: depthLimit)
        let elements = try reader.elements()
        try reader.finish()
        return elements
    }

    /// The names and places of an object's members, whose values are skipped and not checked beyond their brackets
    /// and quotes.
    public func parseMemberRanges(_ bytes: [UInt8]) throws(JSONSyntaxError) -> [JSONMemberRange] {
        var reader = JSONReader(bytes, in: bytes.indices, depthLimit: depthLimit)
        reader.skipByteOrderMark()
        let ranges = try reader.memberRanges()
        try reader.finish()
        return ranges
    }
}
