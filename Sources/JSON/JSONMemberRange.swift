/// The name of an object's member, and where in the text its value stands.
public struct JSONMemberRange: Sendable, Hashable {
    /// The name.
    public let key: String
    /// The bytes of the value, without white space around them.
    public let range: Range<Int>
}
