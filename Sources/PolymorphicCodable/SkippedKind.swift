/// A value that was left out because its family does not know its kind.
public struct SkippedKind: Sendable {
    /// The kind that was found.
    public let kind: String
    /// Where its discriminator stands.
    public let codingPath: [any CodingKey]
    /// The kinds that the family knows.
    public let known: [String]

    /// A skipped value.
    public init(kind: String, codingPath: [any CodingKey], known: [String]) {
        self.kind = kind
        self.codingPath = codingPath
        self.known = known
    }
}

extension SkippedKind: CustomStringConvertible {
    /// What the error would have said if the value had been rejected.
    public var description: String {
        refusal.description
    }

    /// The error that rejects the value.
    var refusal: PolymorphicDecodingError {
        .unknownDiscriminator(kind, codingPath: codingPath, known: known)
    }
}
