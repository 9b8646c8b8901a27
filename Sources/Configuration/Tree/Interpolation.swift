/// Replaces `${NAME}` and `${NAME:-default}` in a text by values of the environment.
///
/// The default also replaces an empty variable, as in a shell, and may contain variables itself.
/// `$${` stands for a literal `${`; any other `$` is text.
struct Interpolation: Sendable {
    let environment: [String: String]

    /// The fault of a text.
    enum Failure: Error, Equatable, CustomStringConvertible {
        case undefined(String)
        case unclosed
        case badName(String)
        case badOperator(String)

        var description: String {
            switch self {
            case .undefined(let name):
                "environment variable \(name) is not defined; define it or write ${\(name):-default}"
            case .unclosed: "\"${\" without its \"}\"; write ${NAME}, ${NAME:-default}, or $${ for a literal \"${\""
            case .badName(let name): "\"\(name)\" is no name of an environment variable"
            case .badOperator(let name): "only \":-\" may follow the name in \"${\(name)…}\""
            }
        }
    }

    /// The text with every reference replaced.
    func apply(_ text: String) throws(Failure) -> String {
        guard text.contains("${") else { return text }
        return try expand(text[...])
    }

    /// The value of each reference in a text, in order; references within defaults are part of their values.
    func values(in text: String) throws(Failure) -> [String] {
        var values: [String] = []
        _ = try expand(text[...]) { values.append($0) }
        return values
    }

    /// The values of the variables in a text, without defaults and empty ones.
    func variables(in text: String) -> [String] {
        text.split(separator: "${").dropFirst(text.hasPrefix("${") ? 0 : 1).compactMap { part in
            let name = part.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
            return environment[String(name)].flatMap { $0.isEmpty ? nil : $0 }
        }
    }

    private func expand(_ text: Substring, reporting report: (String) -> Void = { _ in }) throws(Failure) -> String {
        var result = ""
        var rest = text
        while let dollar = rest.firstIndex(of: "$") {
            result += rest[..<dollar]
            rest = rest[dollar...]
            if rest.hasPrefix("$${") {
                result += "${"
                rest = rest.dropFirst(3)
            } else if rest.hasPrefix("${") {
                let end = try Self.end(ofReference: rest)
                let value = try value(rest[..<end].dropFirst(2))
                report(value)
                result += value
                rest = rest[end...].dropFirst()
            } else {
                result += "$"
                rest = rest.dropFirst()
            }
        }
        return result + rest
    }

    /// The index of the brace that closes the reference at the start of `text`.
    private static func end(ofReference text: Substring) throws(Failure) -> Substring.Index {
        var depth = 1
        var index = text.index(text.startIndex, offsetBy: 2)
        while index < text.endIndex {
            if text[index] == "}" {
                depth -= 1
                if depth == 0 { return index }
            } else if text[index...].hasPrefix("${") {
                depth += 1
            }
            index = text.index(after: index)
        }
        throw .unclosed
    }

    private func value(_ reference: Substring) throws(Failure) -> String {
        let name = reference.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        guard let first = name.first, !first.isNumber else { throw .badName(String(reference)) }
        let rest = reference.dropFirst(name.count)
        let value = environment[String(name)]
        if rest.isEmpty {
            guard let value else { throw .undefined(String(name)) }
            return value
        }
        guard rest.hasPrefix(":-") else { throw .badOperator(String(name)) }
        if let value, !value.isEmpty { return value }
        return try expand(rest.dropFirst(2))
    }
}
