/// The getters of secrets that may stand in a file of their own.
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
        return readSecret(path, fileField, node)
    }

    private func readSecret(_ path: String, _ field: String, _ node: ConfigNode) -> Secret? {
        do {
            let text = try TextFile.read(path)
            let end = text.lastIndex { !$0.isNewline }
            guard let end else {
                fail(field, node, "\"\(field)\": \(node.quoted) is empty")
                return nil
            }
            return Secret(String(text[...end]))
        } catch {
            fail(field, node, "\"\(field)\": cannot read \(node.quoted): \(error)")
            return nil
        }
    }
}

/// The getter of texts that stand in files of their own.
extension FieldReader {
    /// The text of the file that a field of type `.path` names, or nil when the field is absent. A file that cannot be
    /// read, or holds nothing, is a problem.
    public func textOfFile(_ field: String) -> String? {
        guard let path = optionalPath(field), let node = given(field) else { return nil }
        do {
            let text = try TextFile.read(path)
            guard text.isEmpty else { return text }
            fail(field, node, "\"\(field)\": \(node.quotedValue) is empty")
        } catch {
            fail(field, node, "\"\(field)\": cannot read \(node.quotedValue): \(error)")
        }
        return nil
    }
}
