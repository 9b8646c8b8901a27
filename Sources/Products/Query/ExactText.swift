/// A text that is equal to another only where both are spelt alike, composed or decomposed.
///
/// `String` takes both spellings for one. A ``PageCursor`` belongs to the texts as they came, so a cache that keeps pages
/// by their queries must tell them apart.
public struct ExactText: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The text.
    public let text: String

    /// A text as it is spelt.
    public init(_ text: String) {
        self.text = text
    }

    /// A text as it is spelt.
    public init(stringLiteral text: String) {
        self.init(text)
    }

    /// Whether both have the same UTF-8 form.
    public static func == (left: ExactText, right: ExactText) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    /// Hashes the UTF-8 form.
    public func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
