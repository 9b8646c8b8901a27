/// A password, token or key. It prints, dumps and reflects as `<redacted>`; only `reveal()` gives it away.
public struct Secret: Sendable {
    private let value: String

    /// Wraps a secret.
    public init(_ value: String) {
        self.value = value
    }

    /// The secret itself: for the wire, never for logs or messages.
    public func reveal() -> String { value }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Always `<redacted>`.
    public var description: String { "<redacted>" }

    /// Always `<redacted>`.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
