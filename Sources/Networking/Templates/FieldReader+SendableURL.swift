internal import Configuration

extension FieldReader {
    /// The URL of a required field, which must already be in ASCII: whether other characters were meant in UTF-8,
    /// encoded, or as an international name cannot be told here.
    func sendableURL(_ field: String) -> String {
        let url = url(field)
        if !url.utf8.allSatisfy({ $0 < 0x80 }) {
            report(.error, at: field, "\"\(field)\" holds characters that must be percent-encoded")
        }
        return url
    }
}
