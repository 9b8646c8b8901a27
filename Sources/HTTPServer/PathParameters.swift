/// What a route's `{name}` segments stand for in a request, decoded.
public struct PathParameters: Sendable, Hashable {
    private let names: [String]
    private let values: [String]

    /// No parameters.
    public init() {
        self.init(names: [], values: [])
    }

    /// Parameters for tests of handlers without a router.
    public init(_ parameters: KeyValuePairs<String, String>) {
        self.init(names: parameters.map(\.key), values: parameters.map(\.value))
    }

    /// As many values as names, in their order.
    init(names: [String], values: [String]) {
        self.names = names
        self.values = values
    }

    /// The value of a parameter; `nil` when the route's pattern has none of this name.
    public subscript(name: String) -> String? {
        names.firstIndex(of: name).map { values[$0] }
    }
}
