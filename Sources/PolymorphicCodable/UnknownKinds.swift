/// How a decoder treats unknown kinds, for its `userInfo` under `CodingUserInfoKey.unknownKinds`. It applies at every
/// depth. Without it, unknown kinds are rejected.
public struct UnknownKinds: Sendable {
    /// The policy for the values.
    public let policy: UnknownKindPolicy
    /// Receives the skipped values.
    public let report: (@Sendable (SkippedKind) -> Void)?

    /// Creates a treatment.
    /// - Parameter report: receives each value skipped by the policy, in decoding order and on the decoding thread;
    ///   twice if a type tries to decode its place in two ways.
    public init(_ policy: UnknownKindPolicy, report: (@Sendable (SkippedKind) -> Void)? = nil) {
        self.policy = policy
        self.report = report
    }
}

/// The treatment of values whose kind their family does not declare.
public enum UnknownKindPolicy: String, Sendable, CaseIterable {
    /// Decoding fails with ``PolymorphicDecodingError/unknownDiscriminator(_:codingPath:known:)``.
    case reject
    /// The value is left out where possible: from an array or a dictionary, or if it is decoded "if present". A
    /// required value is rejected.
    case skip
    /// The value becomes the family's type for unknown kinds; see ``KeepingPolymorphicFamily``. A family without one
    /// rejects it.
    case keep
}

extension CodingUserInfoKey {
    /// The key of the ``UnknownKinds`` of a decoder.
    public static let unknownKinds: CodingUserInfoKey = {
        guard let key = CodingUserInfoKey(rawValue: "PolymorphicCodable.unknownKinds") else {
            preconditionFailure("a user info key can have any name")
        }
        return key
    }()
}

/// A value that was left out because its family does not declare its kind.
public struct SkippedKind: Sendable {
    /// The kind that was found.
    public let kind: String
    /// The place of its discriminator.
    public let codingPath: [any CodingKey]
    /// The kinds of the family.
    public let known: [String]

    /// A skipped value.
    public init(kind: String, codingPath: [any CodingKey], known: [String]) {
        self.kind = kind
        self.codingPath = codingPath
        self.known = known
    }
}

extension SkippedKind: CustomStringConvertible {
    /// The message of the error that would have rejected the value.
    public var description: String {
        refusal.description
    }

    /// The error that rejects the value.
    var refusal: PolymorphicDecodingError {
        .unknownDiscriminator(kind, codingPath: codingPath, known: known)
    }
}
