/// A string that is equal only to one of the same bytes, where `String` itself also equates canonical equivalents.
struct ExactKey: Hashable {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    static func == (left: ExactKey, right: ExactKey) -> Bool {
        left.text == right.text && left.text.utf8.elementsEqual(right.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(text)
    }
}
