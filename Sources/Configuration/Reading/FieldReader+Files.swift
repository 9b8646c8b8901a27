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
