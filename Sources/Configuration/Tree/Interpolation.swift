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

    /// A part of a text that is replaced as a whole, or a part between those.
    struct Piece: Sendable {
        /// The part as it is written.
        let written: String
        /// The part in force.
        let value: String
        /// Whether it stands for itself, so that it can be divided.
        let isPlain: Bool
    }

    /// The value of each reference in a text, in order; references within defaults are part of their values.
    func values(in text: String) throws(Failure) -> [String] {
        try pieces(of: text).filter { !$0.isPlain && $0.written != Self.escape }.map(\.value)
    }

    /// The values of the variables in a text, without defaults and empty ones.
    func variables(in text: String) -> [String] {
        text.split(separator: "${").dropFirst(text.hasPrefix("${") ? 0 : 1).compactMap { part in
            let name = part.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
            return environment[String(name)].flatMap { $0.isEmpty ? nil : $0 }
        }
    }

    /// The references of a text and what stands between them, in order.
    func pieces(of text: some StringProtocol) throws(Failure) -> [Piece] {
        var pieces: [Piece] = []
        var rest = Substring(text)
        while let mark = rest.firstRange(of: "${") {
            let isEscaped = rest[..<mark.lowerBound].last == "$"
            Self.append(rest[..<mark.lowerBound].dropLast(isEscaped ? 1 : 0), to: &pieces)
            if isEscaped {
                pieces.append(Piece(written: Self.escape, value: "${", isPlain: false))
                rest = rest[mark.upperBound...]
            } else {
                let end = try Self.end(ofReference: rest[mark.lowerBound...])
                let value = try value(rest[mark.upperBound..<end])
                pieces.append(Piece(written: String(rest[mark.lowerBound...end]), value: value, isPlain: false))
                rest = rest[end...].dropFirst()
            }
        }
        Self.append(rest, to: &pieces)
        return pieces
    }

    private static let escape = "$${"

    /// A text as it has to be written, so that nothing in it is a reference.
    static func literal(_ text: String) -> String {
        text.split(separator: "${", omittingEmptySubsequences: false).joined(separator: escape)
    }

    private static func append(_ text: Substring, to pieces: inout [Piece]) {
        guard !text.isEmpty else { return }
        pieces.append(Piece(written: String(text), value: String(text), isPlain: true))
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
        return try pieces(of: rest.dropFirst(2)).map(\.value).joined()
    }
}
