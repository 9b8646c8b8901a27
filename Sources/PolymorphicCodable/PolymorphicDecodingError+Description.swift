extension PolymorphicDecodingError: CustomStringConvertible {
    /// The sentence, as `[3].type: unknown kind "hexagon"; known are "circle", "square"`.
    public var description: String {
        let place = CodingPlace(path: codingPath)
        return switch self {
        case .missingDiscriminator(_, let known): "\(place): missing; known are \(QuotedList(known))"
        case .discriminatorNotText(let found, _, let known):
            "\(place): expected a string, found \(Self.excerpt(found)); known are \(QuotedList(known))"
        case .unknownDiscriminator(let found, _, let known):
            "\(place): unknown kind \"\(Self.excerpt(found))\"; known are \(QuotedList(known))"
        case .foreignType(let kind, let type, let base, _):
            "\(place): the type of kind \"\(kind)\", \(type), is not \(base)"
        }
    }

    /// What the document says is shown to its hundredth scalar: it may be of any length.
    private static func excerpt(_ text: String) -> String {
        let start = text.unicodeScalars.prefix(100)
        return start.endIndex == text.endIndex ? text : String(start) + "…"
    }
}
