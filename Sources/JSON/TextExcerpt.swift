/// A text from outside as messages show it: cut where it is long, since nobody wants ten pages of it in a log.
public struct TextExcerpt: CustomStringConvertible {
    /// The text, or its beginning and an ellipsis.
    public let description: String

    /// An excerpt.
    ///
    /// - Parameter limit: counted in Unicode scalars, because one character can be of any length.
    public init(_ text: String, limit: Int = 100) {
        let start = text.unicodeScalars.prefix(limit)
        description = start.endIndex == text.endIndex ? text : String(start) + "…"
    }
}
