/// A word that is equal only to one of the same bytes: a search looks for bytes, and must find each form of a word that
/// `String` takes for one.
struct WordBytes: Hashable {
    let word: String

    static func == (left: WordBytes, right: WordBytes) -> Bool {
        guard left.word.utf8.count == right.word.utf8.count, left.word == right.word else { return false }
        return left.word.utf8Span.isKnownASCII || left.word.utf8.elementsEqual(right.word.utf8)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(word)
    }
}
