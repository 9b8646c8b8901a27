/// Lists of words within a sentence.
package enum WordList {
    /// `a`, `a or b`, `a, b or c`.
    package static func alternatives(_ words: [String]) -> String { joined(words, "or", none: "nothing") }

    /// `a`, `a and b`, `a, b and c`.
    package static func enumeration(_ words: [String]) -> String { joined(words, "and", none: "nothing") }

    /// `"a", "b" or "c"`; `none` for no words.
    package static func alternatives(quoting words: [String]) -> String { joined(quoted(words), "or", none: "none") }

    /// `"a", "b" and "c"`; `none` for no words.
    package static func enumeration(quoting words: [String]) -> String { joined(quoted(words), "and", none: "none") }

    /// `a store`, `an auth`.
    package static func article(_ noun: String) -> String {
        let vowels: Set<Character> = ["a", "e", "i", "o", "u"]
        return (noun.first.map(vowels.contains) ?? false ? "an " : "a ") + noun
    }

    private static func quoted(_ words: [String]) -> [String] { words.map { "\"\($0)\"" } }

    private static func joined(_ words: [String], _ last: String, none: String) -> String {
        guard let final = words.last, words.count > 1 else { return words.first ?? none }
        return "\(words.dropLast().joined(separator: ", ")) \(last) \(final)"
    }
}

/// A text from outside as shown in messages: long texts are cut, so that they do not fill a log.
package struct TextExcerpt: CustomStringConvertible {
    /// The text, or its beginning and an ellipsis.
    package let description: String

    /// Creates an excerpt.
    ///
    /// - Parameter limit: counted in Unicode scalars, because one character can be of any length.
    package init(_ text: String, limit: Int = 100) {
        let start = text.unicodeScalars.prefix(limit)
        description = start.endIndex == text.endIndex ? text : String(start) + "…"
    }
}

extension Unicode.Scalar {
    /// Whether the scalar affects the display of others: control and formatting characters, including those for text
    /// direction and line ends.
    package var isSteering: Bool {
        guard value >= 0x7F else { return value < 0x20 }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }
}

extension String {
    /// The text with a replacement for each control and formatting character, so that a text from outside cannot
    /// manipulate a terminal or a page.
    package var printable: String {
        guard unicodeScalars.contains(where: \.isSteering) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { $0.isSteering ? "\u{fffd}" : $0 }))
    }
}

extension String {
    /// The words of a name such as `costPrice` or `cost_price`, in lower case.
    package var nameWords: Set<String> {
        var words = [""]
        for character in self {
            if character.isUppercase, words.last?.last?.isLowercase == true { words.append("") }
            if character.isLetter { words[words.count - 1] += character.lowercased() } else { words.append("") }
        }
        return Set(words)
    }
}

/// A coding path as shown in messages: `[7312].price.amount`, or `root` for the value itself.
package struct CodingPathText: CustomStringConvertible {
    package let description: String

    package init(_ path: [any CodingKey]) {
        var text = ""
        for key in path {
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
        description = text.isEmpty ? "root" : text
    }
}

/// Strings as in JSON: in quotes, with only the required escapes.
package enum JSONString {
    package static func quoted(_ string: String) -> String {
        var bytes: [UInt8] = []
        append(string, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    package static func append(_ string: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        unsafe string.utf8.span.withUnsafeBufferPointer { text in
            var copied = 0
            for index in text.indices where unsafe mustEscape(text[index]) {
                unsafe bytes.append(contentsOf: text[copied..<index])
                unsafe appendEscaped(text[index], to: &bytes)
                copied = index + 1
            }
            unsafe bytes.append(contentsOf: text[copied...])
        }
        bytes.append(UInt8(ascii: "\""))
    }

    @inline(__always)
    private static func mustEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func appendEscaped(_ byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0..<0x20:
            bytes.append(contentsOf: "u00".utf8)
            bytes.append(contentsOf: byte.hexDigits.utf8)
        default: bytes.append(byte)
        }
    }
}
