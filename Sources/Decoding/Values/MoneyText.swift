package import JSON

/// The form of amounts with their currency in one text: `105.29 USD`, `€ 1.234,56`.
///
/// A text is a number with at most one currency before or behind it. Any other letter or sign may change what the number means,
/// as in `99 Cent`, `10k` and `9.99/kg`.
package struct MoneyForm: Sendable, Hashable {
    private struct Separators: Hashable {
        /// The character before the minor digits.
        let point: Character
        /// The character between thousands.
        var group: Character?
    }

    /// nil if each text shows its own.
    private let separators: Separators?

    /// - Parameter text: `money`, or the amount 1234.56 as the upstream writes it, such as `1.234,56`; nil for any other text.
    package init?(_ text: String) {
        if text == "money" {
            separators = nil
            return
        }
        let marks = text.filter { !$0.isASCIIDigit }
        guard let point = marks.last, marks.count <= 2, Set(marks).count == marks.count,
            text.filter(\.isASCIIDigit) == "123456",
            text == "1\(marks.count == 2 ? String(marks.prefix(1)) : "")234\(point)56"
        else { return nil }
        separators = Separators(point: point, group: marks.count == 2 ? marks.first : nil)
    }

    /// The currency in a text, by its code or sign; nil without any.
    /// - Throws: `ValueProblem` for a text that is neither an amount nor a currency.
    package func currency(in text: String) throws(ValueProblem) -> JSONValue? {
        try Self.parts(of: text).currency.map(JSONValue.string)
    }

    /// - Throws: `ValueProblem` for a text that is not one amount, and for a mark that may divide thousands or begin minor digits.
    package func amount(in found: String) throws(ValueProblem) -> JSONValue {
        let parts = try Self.parts(of: found)
        let written = parts.number
        let separators = if let separators { separators } else { try Self.separators(of: written, in: found) }
        let sides = written.split(separator: separators.point, omittingEmptySubsequences: false)
        let groups = sides.first.map { whole in
            separators.group.map { whole.split(separator: $0, omittingEmptySubsequences: false) } ?? [whole]
        }
        let sign = parts.isNegative ? "-" : ""
        guard let groups, sides.count <= 2, groups.dropFirst().allSatisfy({ $0.count == 3 }),
            groups.count == 1 || (1...3).contains(groups[0].count),
            (groups + sides.dropFirst()).allSatisfy({ $0.allSatisfy(\.isASCIIDigit) }),
            let value = JSONNumber(literal: sign + groups.joined() + (sides.count == 2 ? ".\(sides[1])" : ""))
        else { throw Self.problem(found) }
        return .number(value)
    }

    /// The parts of a text.
    private struct Parts {
        var isNegative = false
        /// The digits, and the marks between them; empty without digits.
        var number = ""
        /// The name of the currency; nil without any.
        var currency: String?
    }

    /// - Throws: `ValueProblem` for a text with anything else than a number, a minus before it, a currency and white space.
    private static func parts(of found: String) throws(ValueProblem) -> Parts {
        let text = withMinorDigits(found)[...]
        var (parts, before, behind) = (Parts(), text.trimmed, ""[...])
        if let first = text.firstIndex(where: \.isASCIIDigit), let last = text.lastIndex(where: \.isASCIIDigit) {
            parts.number = String(text[first...last])
            behind = text[last...].dropFirst()
            if let mark = behind.first, ".,".contains(mark) { behind.removeFirst() }
            (before, behind) = (text[..<first].trimmed, behind.trimmed)
            if let sign = before.first, dashes.contains(sign) {
                (parts.isNegative, before) = (true, before.dropFirst().trimmed)
            } else if let sign = before.last, dashes.contains(sign) {
                (parts.isNegative, before) = (true, before.dropLast().trimmed)
            }
        }
        let names = [before, behind].filter { !$0.isEmpty }.map(String.init)
        guard names.count <= 1, names.allSatisfy({ CurrencyName($0) != nil }),
            parts.number.allSatisfy({ $0.isASCIIDigit || marks.contains($0) })
        else { throw problem(found) }
        parts.currency = names.first
        return parts
    }

    /// A minus as texts have it, also from a word processor.
    private static let dashes: Set<Character> = ["-", "‐", "‑", "‒", "–", "—", "―", "−", "﹣", "－"]

    /// Puts minor digits in place of a dash that says that there are none: `12,00` for `12,-`, and `12` for `12:-`.
    private static func withMinorDigits(_ text: String) -> String {
        guard let last = text.lastIndex(where: dashes.contains), !text[last...].contains(where: \.isASCIIDigit) else {
            return text
        }
        var whole = text[..<last]
        while let dash = whole.last, dashes.contains(dash) { whole.removeLast() }
        guard let mark = whole.popLast(), ",.:".contains(mark), whole.last?.isASCIIDigit == true else { return text }
        return whole + (mark == ":" ? "" : "\(mark)00") + text[last...].dropFirst()
    }

    private static func problem(_ text: String) -> ValueProblem {
        ValueProblem(expected: "an amount with its currency, like 105.29 USD", found: .string(text))
    }

    /// The characters that stand between digits.
    private static let marks: Set<Character> = [".", ",", "'", "’", " ", "\u{a0}", "\u{202f}", "\u{2009}"]

    private static func separators(of number: String, in text: String) throws(ValueProblem) -> Separators {
        let marks = number.filter { Self.marks.contains($0) }
        let kinds = Set(marks)
        guard let last = marks.last else { return Separators(point: ".") }
        if kinds.count == 2, ".,".contains(last) { return Separators(point: last, group: marks.first) }
        if kinds.count == 1, marks.count > 1 || !".,".contains(last) {
            return Separators(point: last == "." ? "," : ".", group: last)
        }
        let minor = number.reversed().prefix { $0 != last }.count
        guard kinds.count == 1, minor != 3 else {
            throw ValueProblem(
                expected: "an amount that can be told; add form: \"1.234,56\" or \"1,234.56\"", found: .string(text))
        }
        return Separators(point: last)
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
