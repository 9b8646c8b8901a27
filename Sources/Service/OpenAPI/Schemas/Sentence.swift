/// Makes sentences of parts of them.
enum Sentence {
    /// The part with a capital before it and a full stop behind it.
    static func of(_ part: String) -> String {
        part.prefix(1).uppercased() + part.dropFirst() + "."
    }
}
