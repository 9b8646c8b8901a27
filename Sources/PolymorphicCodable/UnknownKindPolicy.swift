/// What becomes of a value whose kind its family does not know.
public enum UnknownKindPolicy: String, Sendable, CaseIterable {
    /// Decoding fails with ``PolymorphicDecodingError/unknownDiscriminator(_:codingPath:known:)``.
    case reject
    /// The value is left out where it can be: of an array or a dictionary, or where it is asked for "if present".
    /// Where a value is required it is rejected.
    case skip
    /// The value becomes what its family keeps unknown kinds in; see ``KeepingPolymorphicFamily``. A family that keeps
    /// none rejects it.
    case keep
}
