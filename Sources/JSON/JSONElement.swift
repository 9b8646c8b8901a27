/// An element of an array, and where in the text it stands.
public struct JSONElement: Sendable, Hashable {
    /// The element.
    public let value: JSONValue
    /// Its bytes, without white space around them.
    public let range: Range<Int>
}
