internal import FoundationEssentials
internal import JSON

/// Chooses one of several values of an upstream's item.
package enum ValuePick: String, Sendable, CaseIterable {
    case first
    case last
    /// The least number.
    case min
    /// The greatest number.
    case max

    /// - Parameter values: the preferred one first.
    /// - Throws: `ValueProblem` if numbers are compared and a value is not a number.
    func choice(of values: [JSONValue]) throws(ValueProblem) -> JSONValue? {
        switch self {
        case .first, .last: return values.first
        case .min, .max:
            var best: (value: JSONValue, number: Decimal)?
            for value in values {
                guard let text = value.scalarText, JSONNumber(literal: text) != nil, let number = Decimal(string: text)
                else {
                    throw ValueProblem(expected: "numbers to choose from", found: value)
                }
                let isBetter = best.map { self == .min ? number < $0.number : number > $0.number } ?? true
                if isBetter { best = (value, number) }
            }
            return best?.value
        }
    }
}

/// Changes the texts that a mapping finds, in the order of the members. Values that are no texts stay as they are.
package struct TextRules: Sendable, Hashable {
    /// Divides a text, such as `Home > Kitchen`, into several. White space around a part goes, and empty parts.
    package var separator: String?
    /// Whether only the part behind the last slash counts, as the id in `gid://shop/Product/1`.
    package var takesLastSegment = false
    /// Replaces whole texts, numbers and booleans.
    package var words: [String: String] = [:]
    /// Goes before a text that is no absolute URL.
    package var prefix: String?
    /// Makes one text of all.
    package var joiner: String?

    package init() {}

    var isEmpty: Bool { self == TextRules() }

    /// - Throws: `ValueProblem` for a value that is to be joined and is no text.
    func applied(to values: [JSONValue]) throws(ValueProblem) -> [JSONValue] {
        let values = values.flatMap { parts(of: $0) }.map { changed($0) }
        guard let joiner else { return values }
        var texts: [String] = []
        for value in values {
            guard let text = value.scalarText else { throw ValueProblem(expected: "a text to join", found: value) }
            if !text.isEmpty { texts.append(text) }
        }
        return texts.isEmpty ? [] : [.string(texts.joined(separator: joiner))]
    }

    private func parts(of value: JSONValue) -> [JSONValue] {
        guard let separator, let text = value.string else { return [value] }
        return text.split(separator: separator).map(\.trimmed).filter { !$0.isEmpty }.map { .string(String($0)) }
    }

    private func changed(_ value: JSONValue) -> JSONValue {
        var value = value
        if takesLastSegment, let text = value.string {
            let path = text.contains("://") ? text.prefix { $0 != "?" && $0 != "#" } : text[...]
            value = .string(String(path.split(separator: "/").last ?? ""))
        }
        if let word = value.scalarText.flatMap({ words[$0] }) { value = .string(word) }
        if let prefix, let text = value.string, !text.isEmpty, !Self.isAbsolute(text) {
            value = .string(Self.joined(prefix, text))
        }
        return value
    }

    /// Puts a slash between a URL and a path without one, and never two.
    private static func joined(_ prefix: String, _ text: String) -> String {
        if prefix.hasSuffix("/"), text.hasPrefix("/") { return prefix + text.dropFirst() }
        let isPath = prefix.contains("://") && !prefix.contains { "?#=".contains($0) }
        return prefix + (isPath && !prefix.hasSuffix("/") && !text.hasPrefix("/") ? "/" : "") + text
    }

    private static func isAbsolute(_ text: String) -> Bool {
        if text.hasPrefix("//") { return true }
        guard let colon = text.firstIndex(of: ":"), text.first?.isLetter == true else { return false }
        return text[..<colon].allSatisfy { $0.isLetter || $0.isNumber || "+-.".contains($0) }
    }
}

extension Substring {
    /// The text without white space at its ends.
    var trimmed: Substring {
        let start = drop(while: \.isWhitespace)
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return start[...last]
    }
}
