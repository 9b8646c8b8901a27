/// What is wrong with a discriminator: where, what was found, and what would have been right.
public enum PolymorphicDecodingError: Error {
    /// There is none, or null.
    case missingDiscriminator(codingPath: [any CodingKey], known: [String])
    /// It is there, and is not a string; `found` describes it, as `7` or `an array`.
    case discriminatorNotText(found: String, codingPath: [any CodingKey], known: [String])
    /// It names no kind of the family.
    case unknownDiscriminator(String, codingPath: [any CodingKey], known: [String])
    /// The family itself is wrong: the type it gives for a kind is not of the family's base.
    case foreignType(kind: String, type: String, base: String, codingPath: [any CodingKey])

    /// The error about a discriminator in what a decoder threw, if it is one: some decoders wrap the errors of others
    /// in their own.
    public init?(in error: any Error) {
        if let found = error as? PolymorphicDecodingError {
            self = found
        } else if case DecodingError.dataCorrupted(let context) = error, let underlying = context.underlyingError {
            self.init(in: underlying)
        } else {
            return nil
        }
    }

    /// Where the discriminator stands, or should; where the value stands if the family is wrong.
    public var codingPath: [any CodingKey] {
        switch self {
        case .missingDiscriminator(let path, _), .discriminatorNotText(_, let path, _),
            .unknownDiscriminator(_, let path, _), .foreignType(_, _, _, let path):
            path
        }
    }
}
