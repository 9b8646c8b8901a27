/// Why a value cannot be written so that its family would read it back.
public enum PolymorphicEncodingError: Error {
    /// The family cannot tell the value's kind by its type, and the value writes no discriminator itself.
    case missingDiscriminator(type: String, codingPath: [any CodingKey], known: [String])
    /// The value writes a discriminator that is not the kind, or one of the kinds, of its type.
    case otherDiscriminator(found: String, codingPath: [any CodingKey], expected: [String])
    /// The value does not write itself as an object, so that there is no place for a discriminator.
    case notAnObject(type: String, codingPath: [any CodingKey])
    /// The value's type is not `Encodable`.
    case notEncodable(type: String, codingPath: [any CodingKey])

    /// The error about a value in what an encoder threw, if it is one: some encoders wrap the errors of others in their
    /// own.
    public init?(in error: any Error) {
        if let found = error as? PolymorphicEncodingError {
            self = found
        } else if case EncodingError.invalidValue(_, let context) = error, let underlying = context.underlyingError {
            self.init(in: underlying)
        } else {
            return nil
        }
    }

    /// Where the discriminator would stand, or where the value does.
    public var codingPath: [any CodingKey] {
        switch self {
        case .missingDiscriminator(_, let path, _), .otherDiscriminator(_, let path, _), .notAnObject(_, let path),
            .notEncodable(_, let path):
            path
        }
    }
}
