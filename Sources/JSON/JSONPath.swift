/// The way to a value inside another: names and array indexes with dots between them, as `data.products` or
/// `items.0.price`.
///
/// A component of digits is an index where it meets an array, and a name where it meets an object.
public struct JSONPath: Sendable, Hashable {
    /// The components, outermost first; none for the value itself.
    public let components: [String]

    /// The path of a text; nil when a component is empty.
    public init?(_ text: String) {
        let components = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard components.allSatisfy({ !$0.isEmpty }) else { return nil }
        self.components = components
    }

    private init() {
        components = []
    }

    /// The path to the value itself.
    public static let root = JSONPath()
}

extension JSONPath: CustomStringConvertible {
    /// The path as it is written.
    public var description: String { components.joined(separator: ".") }
}
