/// The way to a value inside another: names and array indexes with dots between them, as `data.products` or
/// `items.0.price`.
///
/// A component of digits is an index where it meets an array, and a name where it meets an object.
public struct JSONPath: Sendable, Hashable {
    /// The components, outermost first; none for the value itself.
    package let components: [String]

    package init?(_ text: String) {
        let components = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard components.allSatisfy({ !$0.isEmpty }) else { return nil }
        self.components = components
    }

    private init() {
        components = []
    }

    /// The path to the value itself.
    package static let root = JSONPath()
}

extension JSONPath: CustomStringConvertible {
    /// The path as it is written.
    public var description: String { components.joined(separator: ".") }
}

extension JSONValue {
    /// The value that a path leads to, if it leads to one.
    package subscript(path: JSONPath) -> JSONValue? {
        var value = self
        for component in path.components {
            guard let inner = value.child(component) else { return nil }
            value = inner
        }
        return value
    }

    private func child(_ component: String) -> JSONValue? {
        switch self {
        case .object(let object):
            object[component]
        case .array(let elements):
            Int(component).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
        default:
            nil
        }
    }
}

extension JSONObject {
    /// Sets the member that a path leads to, making the objects on the way to it; what stands there already and is not
    /// an object is replaced. The root path leads to no member and sets nothing.
    package mutating func set(_ value: JSONValue, at path: JSONPath) {
        set(value, at: path.components[...])
    }

    private mutating func set(_ value: JSONValue, at components: ArraySlice<String>) {
        guard let first = components.first else { return }
        guard components.count > 1 else {
            self[first] = value
            return
        }
        var inner = self[first]?.object ?? JSONObject()
        inner.set(value, at: components.dropFirst())
        self[first] = .object(inner)
    }
}
