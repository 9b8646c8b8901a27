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

/// The getters of secrets and texts that may stand in files of their own.
extension FieldReader {
    /// The secret in `field` or in the file that `<field>_file` names; exactly one of the two must be given. Newlines
    /// at the end of the file do not count. Declare both fields with `FieldSpec.secretOrFile`.
    public func secretOrFile(_ field: String) -> Secret {
        if let secret = optionalSecretOrFile(field) { return secret }
        if given(field) == nil, given(field + "_file") == nil {
            report(.error, at: position, "missing \"\(field)\" or \"\(field)_file\" \(place)")
        }
        return Secret("")
    }

    /// The secret in `field` or in the file that `<field>_file` names; nil when neither is given.
    public func optionalSecretOrFile(_ field: String) -> Secret? {
        let secret = optionalSecret(field)
        let fileField = field + "_file"
        guard let path = optionalPath(fileField), let node = given(fileField) else { return secret }
        guard given(field) == nil else {
            fail(fileField, node, "\"\(field)\" and \"\(fileField)\" exclude each other; keep one")
            return nil
        }
        return textFile(path, fileField, node, shown: node.quoted) { text in
            text.lastIndex { !$0.isNewline }.map { Secret(String(text[...$0])) }
        }
    }

    /// The text of the file that a field of type `.path` names, or nil when the field is absent. A file that cannot be
    /// read, or holds nothing, is a problem.
    public func textOfFile(_ field: String) -> String? {
        guard let path = optionalPath(field), let node = given(field) else { return nil }
        return textFile(path, field, node, shown: node.quotedValue) { $0.isEmpty ? nil : $0 }
    }

    private func textFile<Value>(
        _ path: String, _ field: String, _ node: ConfigNode, shown: String, _ content: (String) -> Value?
    ) -> Value? {
        do {
            if let value = content(try TextFile.read(path)) { return value }
            fail(field, node, "\"\(field)\": \(shown) is empty")
        } catch {
            fail(field, node, "\"\(field)\": cannot read \(shown): \(error)")
        }
        return nil
    }
}
