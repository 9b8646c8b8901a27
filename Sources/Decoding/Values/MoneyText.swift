package import JSON

/// The form of amounts with their currency in one text: `105.29 USD`, `€ 1.234,56`.
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
    package func currency(in text: String) -> JSONValue? {
        let text = Self.withMinorDigits(text)
        let rest = text.filter { !$0.isASCIIDigit && !Self.marks.contains($0) && $0 != "-" }
        return rest.isEmpty ? nil : .string(rest)
    }

    /// - Throws: `ValueProblem` for a text that is not one amount, and for a mark that may divide thousands or begin minor digits.
    package func amount(in found: String) throws(ValueProblem) -> JSONValue {
        let text = Self.withMinorDigits(found)
        let digits = Self.fromAmount(text)
        let number = digits.prefix { $0.isASCIIDigit || $0 == "-" || Self.marks.contains($0) }
        let written = String(number.reversed().drop { !$0.isASCIIDigit }.reversed())
        // A second number, or a sign elsewhere than in front, may change what the first one means.
        let signs = text.count { "-−(".contains($0) }
        guard !digits.dropFirst(number.count).contains(where: \.isASCIIDigit), signs == (written.hasPrefix("-") ? 1 : 0)
        else {
            throw Self.problem(found)
        }
        let separators = if let separators { separators } else { try Self.separators(of: written, in: found) }
        let parts = written.split(separator: separators.point, omittingEmptySubsequences: false)
        let groups = parts.first.map { whole in
            separators.group.map { whole.split(separator: $0, omittingEmptySubsequences: false) } ?? [whole]
        }
        guard let groups, parts.count <= 2, groups.dropFirst().allSatisfy({ $0.count == 3 }),
            groups.count == 1 || (1...3).contains(groups[0].drop { $0 == "-" }.count),
            (groups + parts.dropFirst()).allSatisfy({ $0.drop { $0 == "-" }.allSatisfy(\.isASCIIDigit) }),
            let value = JSONNumber(literal: groups.joined() + (parts.count == 2 ? ".\(parts[1])" : ""))
        else { throw Self.problem(found) }
        return .number(value)
    }

    /// Drops what stands before the amount. A point behind letters ends an abbreviation, as in `kr. 12,50`.
    private static func fromAmount(_ text: String) -> Substring {
        var rest = text[...]
        var isBehindLetter = false
        while let next = rest.first, !next.isASCIIDigit, next != "-", isBehindLetter || !".,".contains(next) {
            isBehindLetter = next.isLetter
            rest.removeFirst()
        }
        return rest
    }

    private static let dashes: Set<Character> = ["-", "–", "—"]

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
