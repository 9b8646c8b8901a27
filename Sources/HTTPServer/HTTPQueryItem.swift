/// One `name=value` of a query, decoded.
public struct HTTPQueryItem: Sendable, Hashable {
    /// What is left of the first `=`.
    public var name: String
    /// What is right of it; `nil` when there is none.
    public var value: String?

    /// An item.
    public init(name: String, value: String? = nil) {
        self.name = name
        self.value = value
    }

    /// The item as it stands in a link: all but commas and RFC 3986's unreserved characters percent-encoded.
    public var encoded: String {
        PercentEncoding.encode(name) + (value.map { "=\(PercentEncoding.encode($0))" } ?? "")
    }
}
