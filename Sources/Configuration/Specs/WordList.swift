/// Lists of words within a sentence.
enum WordList {
    /// `a`, `a or b`, `a, b or c`.
    static func alternatives(_ words: [String]) -> String { joined(words, "or") }

    /// `a`, `a and b`, `a, b and c`.
    static func enumeration(_ words: [String]) -> String { joined(words, "and") }

    /// `a store`, `an auth`.
    static func article(_ noun: String) -> String {
        let vowels: Set<Character> = ["a", "e", "i", "o", "u"]
        return (noun.first.map(vowels.contains) ?? false ? "an " : "a ") + noun
    }

    private static func joined(_ words: [String], _ last: String) -> String {
        guard let final = words.last, words.count > 1 else { return words.first ?? "nothing" }
        return "\(words.dropLast().joined(separator: ", ")) \(last) \(final)"
    }
}
