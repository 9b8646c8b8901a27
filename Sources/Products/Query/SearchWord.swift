/// A word of a text as a search compares it: without case and accents, and byte by byte.
public struct SearchWord: Sendable, Hashable {
    /// The word, folded; never empty.
    let folded: String

    /// Whether both find the same, which `String` does not say: a decomposed word is not found by its composed form.
    public static func == (left: SearchWord, right: SearchWord) -> Bool {
        left.folded.utf8.elementsEqual(right.folded.utf8)
    }

    /// The words of a text, each once. Blanks and punctuation stand between words; symbols, as `+` or an emoji, are
    /// parts of them.
    static func words(of text: String) -> Set<SearchWord> {
        var folding = TextFolding()
        return Set(folding.words(of: text).map(SearchWord.init))
    }
}
