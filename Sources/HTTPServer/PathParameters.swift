/// What a route's `{name}` segments stand for in a request, decoded.
public struct PathParameters: Sendable, Hashable {
    private struct Parameter: Sendable, Hashable {
        let name: String
        let value: String
    }

    /// One array, not two, because every request has it, and a request is small enough to be kept without an allocation
    /// where any type may be.
    private var all: [Parameter]

    /// No parameters.
    public init() {
        all = []
    }

    /// Parameters for tests of handlers without a router.
    public init(_ parameters: KeyValuePairs<String, String>) {
        all = parameters.map { Parameter(name: $0.key, value: $0.value) }
    }

    mutating func append(_ name: String, _ value: String) {
        all.append(Parameter(name: name, value: value))
    }

    /// The value of a parameter; `nil` when the route's pattern has none of this name.
    public subscript(name: String) -> String? {
        all.first { $0.name == name }?.value
    }
}
