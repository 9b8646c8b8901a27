package import Text

/// The getters of secrets and texts that may stand in files of their own.
extension FieldReader {
    /// The secret in `field` or in the file that `<field>_file` names; exactly one of the two must be given. Newlines
    /// at the end of the file do not count. Declare both fields with `FieldSpec.secretOrFile`.
    package func secretOrFile(_ field: String) -> Secret {
        if let secret = optionalSecretOrFile(field) { return secret }
        if given(field) == nil, given(field + "_file") == nil {
            report(.error, at: position, "missing \"\(field)\" or \"\(field)_file\" \(place)")
        }
        return Secret("")
    }

    /// The secret in `field` or in the file that `<field>_file` names; nil when neither is given.
    package func optionalSecretOrFile(_ field: String) -> Secret? {
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
