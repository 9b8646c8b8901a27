/// A string that is equal only to one of the same bytes, where `String` itself also equates canonical equivalents.
struct ExactKey: Hashable {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    static func == (left: ExactKey, right: ExactKey) -> Bool {
        same(left.text, right.text)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(text)
    }

    /// Whether two strings have the same bytes.
    @inline(__always)
    static func same(_ left: String, _ right: String) -> Bool {
        guard left.utf8.count == right.utf8.count, left == right else { return false }
        return left.utf8Span.isKnownASCII || left.utf8.elementsEqual(right.utf8)
    }
}
