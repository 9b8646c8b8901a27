extension HTTPClientResponse {
    /// Whether the body is a page for people, as gateways and login forms send it, often with a status of success.
    ///
    /// The header alone does not make it one: many servers send JSON under the type of HTML.
    public var isHTML: Bool {
        let text = body.drop { " \t\r\n\u{FEFF}".utf8.contains($0) }
        guard let first = text.first else { return false }
        let isCalledHTML = headers["Content-Type"]?.lowercased().hasPrefix("text/html") ?? false
        if first == UInt8(ascii: "<") { return isCalledHTML || !text.starts(with: "<?xml".utf8) }
        return isCalledHTML && first != UInt8(ascii: "[") && first != UInt8(ascii: "{")
    }
}
