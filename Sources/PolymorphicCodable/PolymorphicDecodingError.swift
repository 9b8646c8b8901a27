/// What is wrong with a discriminator: where, what was found, and what would have been right.
public enum PolymorphicDecodingError: Error {
    /// There is none.
    case missingDiscriminator(codingPath: [any CodingKey], known: [String])
    /// It is there, and is not a string.
    case discriminatorNotText(codingPath: [any CodingKey], known: [String])
    /// It names no kind of the family.
    case unknownDiscriminator(String, codingPath: [any CodingKey], known: [String])
    /// The family itself is wrong: the type it gives for a kind is not of the family's base.
    case foreignType(kind: String, type: String, base: String, codingPath: [any CodingKey])

    /// Where the discriminator stands, or should.
    public var codingPath: [any CodingKey] {
        switch self {
        case .missingDiscriminator(let path, _), .discriminatorNotText(let path, _),
            .unknownDiscriminator(_, let path, _), .foreignType(_, _, _, let path):
            path
        }
    }
}
