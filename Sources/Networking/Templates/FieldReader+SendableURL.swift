public import Configuration

extension FieldReader {
    /// The URL of a required field, which must already be in ASCII: whether other characters were meant in UTF-8,
    /// encoded, or as an international name cannot be told here. A user before the host would show wherever the URL is
    /// shown.
    ///
    /// - Parameter advice: what to do about a user before the host.
    public func sendableURL(_ field: String, advice: String = "give them by \"auth\" instead") -> String {
        let url = url(field)
        if !url.utf8.allSatisfy({ $0 < 0x80 }) {
            report(.error, at: field, "\"\(field)\" holds characters that must be percent-encoded")
        }
        if url.dropFirst("https://".count).prefix(while: { !"/?#".contains($0) }).contains("@") {
            report(.error, at: field, "\"\(field)\" holds a user or password; \(advice)")
        }
        return url
    }
}
