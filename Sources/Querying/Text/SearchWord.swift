/// A word of a search, without case and accents, compared by its bytes.
package struct SearchWord: Sendable, Hashable {
    private let word: ExactText

    /// Never empty.
    var folded: String { word.text }

    /// The words of a text, each once. Blanks and punctuation separate words; symbols such as `+` or an emoji do not.
    static func words(of text: String) -> Set<SearchWord> {
        var folding = TextFolding()
        return Set(folding.words(of: text).map { SearchWord(word: ExactText($0)) })
    }
}

/// A text that compares by its UTF-8 bytes.
///
/// `String` equates composed and decomposed texts. A ``PageCursor`` is bound to the bytes, so a cache of pages by query
/// must distinguish them.
package struct ExactText: Sendable, Hashable, ExpressibleByStringLiteral {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package init(stringLiteral text: String) {
        self.init(text)
    }

    package static func == (left: ExactText, right: ExactText) -> Bool {
        guard left.text.utf8.count == right.text.utf8.count, left.text == right.text else { return false }
        return left.text.utf8Span.isKnownASCII || left.text.utf8.elementsEqual(right.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
