/// Texts of a source as they fit into one line of a shop's page.
enum DisplayText {
    /// How long a line gets, in characters, the ellipsis not counted.
    static let limit = 160
    /// How much of a text is looked at, since a source may put its whole manual there.
    private static let reach = 4 * limit

    /// The beginning of a text in one line, cut at the end of a word and then with an ellipsis; nil when there is
    /// nothing to read in it.
    static func excerpt(_ text: String) -> String? {
        if isLine(text) { return text }
        let beginning = text.drop(while: \.isWhitespace).prefix(reach)
        var line = ""
        var left = limit
        for word in beginning.split(whereSeparator: \.isWhitespace) {
            guard word.count <= left else { return line.isEmpty ? "\(word.prefix(limit))…" : "\(line) …" }
            if !line.isEmpty { line += " " }
            line += word
            left -= word.count + 1
        }
        guard !line.isEmpty else { return nil }
        return beginning.endIndex == text.endIndex ? line : "\(line) …"
    }

    /// The parts that there are, in one line; nil without any.
    static func line(_ parts: String?...) -> String? {
        let present = parts.compactMap { $0.flatMap(excerpt) }
        return present.isEmpty ? nil : present.joined(separator: " · ")
    }

    /// Whether the text is a short line as it stands, as most are: no more bytes than characters are allowed, and no
    /// white space but single blanks between words.
    private static func isLine(_ text: String) -> Bool {
        let blank = UInt8(ascii: " ")
        guard (1...limit).contains(text.utf8.count) else { return false }
        var last = blank
        for byte in text.utf8 {
            guard byte > blank && byte < 0x7F || byte == blank && last != blank else { return false }
            last = byte
        }
        return last != blank
    }
}
