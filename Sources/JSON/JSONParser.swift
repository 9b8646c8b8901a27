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
        try parse(bytes, in: bytes.indices)
    }

    /// The value of a part of a text; places in errors count from the start of the whole text.
    public func parse(_ bytes: [UInt8], in range: Range<Int>) throws(JSONSyntaxError) -> JSONValue {
        var reader = JSONReader(bytes, in: range, depthLimit: depthLimit)
        let value = try reader.value()
        try reader.finish()
        return value
    }

    /// Gives the elements of an array one by one, each with its place, so that the tree of a long array never exists
    /// as a whole.
    /// - Parameter range: the part of `bytes` that is the array; places count from the start of `bytes`.
    /// - Throws: `JSONSyntaxError` when the part is no array, and what the body throws.
    public func forEachElement(
        of bytes: [UInt8], in range: Range<Int>, _ body: (JSONValue, Range<Int>) throws -> Void
    ) throws {
        var reader = JSONReader(bytes, in: range, depthLimit: depthLimit)
        try reader.forEachElement(body)
        try reader.finish()
    }

    /// The names and places of an object's members, whose values are skipped and not checked beyond their brackets
    /// and quotes.
    public func parseMemberRanges(_ bytes: [UInt8]) throws(JSONSyntaxError) -> [JSONMemberRange] {
        var reader = JSONReader(bytes, in: bytes.indices, depthLimit: depthLimit)
        let ranges = try reader.memberRanges()
        try reader.finish()
        return ranges
    }
}
