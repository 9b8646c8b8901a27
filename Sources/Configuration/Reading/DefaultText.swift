/// Reads the defaults of fields, which are written as YAML in the specs.
enum DefaultText {
    /// The value of a default, placed where the mapping stands that lacks the field. A default that is no YAML is a
    /// programmer error.
    static func node(_ text: String, of field: String, at position: SourcePosition) -> ConfigNode {
        if text.isEmpty { return ConfigNode(.scalar(text: "", isPlain: true), at: position) }
        do {
            let document = try ConfigDocument.parse(text, file: position.file, environment: [:])
            precondition(document.problems.isEmpty, "the default of \(field): \(document.problems)")
            return document.root.moved(to: position)
        } catch {
            preconditionFailure("the default of \(field): \(error)")
        }
    }
}
