/// One member of an object.
public struct JSONMember: Sendable, Hashable {
    /// Its name.
    public let key: String
    /// Its value.
    public var value: JSONValue

    /// A member with this name and value.
    public init(key: String, value: JSONValue) {
        self.key = key
        self.value = value
    }
}
