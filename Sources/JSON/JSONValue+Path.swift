extension JSONValue {
    /// The value that a path leads to, if it leads to one.
    public subscript(path: JSONPath) -> JSONValue? {
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
    public mutating func set(_ value: JSONValue, at path: JSONPath) {
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
