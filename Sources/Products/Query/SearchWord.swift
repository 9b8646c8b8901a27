/// A word of a text as a search compares it: without case and accents, and byte by byte.
public struct SearchWord: Sendable, Hashable {
    /// Compared as it is spelt, which is what the index does: a decomposed word is not found by its composed form.
    private let word: ExactText

    /// The word, folded; never empty.
    var folded: String { word.text }

    /// The words of a text, each once. Blanks and punctuation stand between words; symbols, as `+` or an emoji, are
    /// parts of them.
    static func words(of text: String) -> Set<SearchWord> {
        var folding = TextFolding()
        return Set(folding.words(of: text).map { SearchWord(word: ExactText($0)) })
    }
}
