internal import Text
internal import Yams

/// Diagnostics for texts that are not YAML.
enum YAMLProblem {
    static func diagnostic(for error: any Error, file: String) -> Diagnostic {
        guard let error = error as? YamlError else {
            return Diagnostic(.error, at: .whole(file), "cannot be parsed: \(error)")
        }
        switch error {
        case .scanner(let context, let problem, let mark, let text),
            .parser(let context, let problem, let mark, let text):
            return syntax(problem, context, mark, text, file)
        case .composer(let context, let problem, let mark, _):
            let words = [context?.text, problem].compactMap(\.self).joined(separator: ", ")
            return Diagnostic(.error, at: SourcePosition(mark, file), "invalid YAML: \(words)")
        case .reader(let problem, let offset, _, let text):
            return Diagnostic(.error, at: position(offset, text, file), "invalid YAML: \(problem)")
        case .duplicatedKeysInMapping(let keys, let context):
            let key = TextExcerpt(keys.first ?? "")
            let message = "duplicate key \"\(key)\"; this is the first one"
            return Diagnostic(.error, at: SourcePosition(context.mark, file), message)
        case .no, .memory, .writer, .emitter, .representer, .dataCouldNotBeDecoded:
            return Diagnostic(.error, at: .whole(file), "cannot be parsed: \(error)")
        }
    }

    private static func syntax(
        _ problem: String, _ context: YamlError.Context?, _ mark: Mark, _ text: String, _ file: String
    ) -> Diagnostic {
        var message = "invalid YAML: \(problem)"
        if let context {
            message += " \(context.text)"
            if context.mark.line != mark.line { message += " that begins at line \(context.mark.line)" }
        }
        // libyaml reports a missing space at the next key.
        let lines = [context?.mark.line, mark.line - 1, mark.line].compactMap(\.self).map { line($0, of: text) }
        let isUnspaced = lines.contains { lacksSpace($0.trimmingPrefix { " -".contains($0) }) }
        let hint = isUnspaced ? spaceAdvice : hint(for: line(mark.line, of: text), column: mark.column)
        return Diagnostic(.error, at: SourcePosition(mark, file), message + (hint.map { "; \($0)" } ?? ""))
    }

    /// The probable mistake in this line, for the two that libyaml's messages do not explain.
    private static func hint(for line: Substring, column: Int) -> String? {
        if line.unicodeScalars.dropFirst(column - 1).first == "\t" { return "indent by spaces, not by tabs" }
        // Braces end an unquoted text within braces, so an unquoted reference breaks there.
        let beforeReferences = line.split(separator: "${", omittingEmptySubsequences: false).dropLast()
        let isBare = beforeReferences.contains { $0.last != "\"" && $0.last != "'" }
        return isBare ? "a value with \"${…}\" needs quotes inside { } and [ ]" : nil
    }

    /// The advice for a missing space.
    static let spaceAdvice = "write a space after the colon"

    /// Whether a text is a key and its value without the space between them, such as `ttl:5s`, and not an address or
    /// URL.
    static func lacksSpace(_ text: some StringProtocol) -> Bool {
        guard let colon = text.firstIndex(of: ":"), let first = text.first, first.isLetter,
            text[..<colon].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })
        else { return false }
        let value = text[text.index(after: colon)...]
        return value.first.map { !$0.isWhitespace } == true && !value.hasPrefix("//")
    }

    private static func line(_ number: Int, of text: String) -> Substring {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.indices.contains(number - 1) ? lines[number - 1] : ""
    }

    private static func position(_ offset: Int?, _ text: String, _ file: String) -> SourcePosition {
        guard let offset else { return .whole(file) }
        let before = text.prefix(offset)
        let line = before.count { $0.isNewline } + 1
        let lineStart = before.lastIndex(where: \.isNewline).map { before.index(after: $0) } ?? before.startIndex
        let column = before[lineStart...].unicodeScalars.count + 1
        return SourcePosition(file: file, line: line, column: column)
    }
}

extension SourcePosition {
    init(_ mark: Mark, _ file: String) {
        self.init(file: file, line: mark.line, column: mark.column)
    }
}
