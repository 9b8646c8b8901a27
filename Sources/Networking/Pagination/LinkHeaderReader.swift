/// One pass over the value of a `Link` header.
struct LinkHeaderReader {
    private var rest: Substring

    init(_ text: String) {
        rest = text[...]
    }

    /// Whether only blanks are left.
    var isAtEnd: Bool { rest.allSatisfy(\.isWhitespace) }

    /// Steps over a character and the blanks before it, if it is what comes next.
    mutating func skip(_ character: Character) -> Bool {
        rest = rest.drop(while: \.isWhitespace)
        guard rest.first == character else { return false }
        rest.removeFirst()
        return true
    }

    /// What stands between angle brackets, commas and semicolons included.
    mutating func target() -> String? {
        guard skip("<"), let end = rest.firstIndex(of: ">") else { return nil }
        defer { rest = rest[rest.index(after: end)...] }
        return String(rest[..<end])
    }

    /// The parameters of a link, their names in lower case; a parameter without a value has an empty one.
    mutating func parameters() -> [(name: String, value: String)]? {
        var parameters: [(name: String, value: String)] = []
        while skip(";") {
            let name = token()
            guard skip("=") else {
                if !name.isEmpty { parameters.append((name.lowercased(), "")) }
                continue
            }
            guard !name.isEmpty, let value = skip("\"") ? quoted() : token() else { return nil }
            parameters.append((name.lowercased(), value))
        }
        return parameters
    }

    private mutating func token() -> String {
        rest = rest.drop(while: \.isWhitespace)
        let token = rest.prefix { !";,=\"<>".contains($0) && !$0.isWhitespace }
        rest = rest[token.endIndex...]
        return String(token)
    }

    private mutating func quoted() -> String? {
        var text = ""
        while let character = rest.popFirst() {
            if character == "\"" { return text }
            guard character == "\\" else {
                text.append(character)
                continue
            }
            guard let escaped = rest.popFirst() else { return nil }
            text.append(escaped)
        }
        return nil
    }
}
