/// What a route's `{name}` segments stand for in a request, decoded.
public struct PathParameters: Sendable, Hashable {
    private var names: [String] = []
    private var values: [String] = []

    /// No parameters.
    public init() {}

    /// Parameters for tests of handlers without a router.
    public init(_ parameters: KeyValuePairs<String, String>) {
        for (name, value) in parameters { append(name, value) }
    }

    mutating func append(_ name: String, _ value: String) {
        names.append(name)
        values.append(value)
    }

    /// The value of a parameter; `nil` when the route's pattern has none of this name.
    public subscript(name: String) -> String? {
        names.firstIndex(of: name).map { values[$0] }
    }
}
