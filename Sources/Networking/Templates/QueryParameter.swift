/// One parameter of a URL's query, not yet percent-encoded.
public struct QueryParameter: Sendable, Hashable {
    /// As it is meant, not as it is sent.
    public let name: String
    /// As it is meant, not as it is sent.
    public let value: String

    /// Creates a parameter.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// `name=value`, everything but RFC 3986's unreserved characters encoded.
    public var encoded: String {
        "\(PercentEncoding.component(name))=\(PercentEncoding.component(value))"
    }
}
