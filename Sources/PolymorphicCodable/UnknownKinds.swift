internal import Concurrency

/// How one decoding treats unknown kinds: what a caller puts into a decoder's `userInfo`, under
/// `CodingUserInfoKey.unknownKinds`, from where it reaches the values at every depth. A decoder without one rejects.
public struct UnknownKinds: Sendable {
    /// What becomes of the values.
    public let policy: UnknownKindPolicy
    /// Where the skipped ones are reported; nil: nowhere.
    public let skipped: SkippedKinds?

    /// A treatment by policy.
    /// - Parameter skipped: where the values are reported that the policy `skip` leaves out.
    public init(_ policy: UnknownKindPolicy, skipped: SkippedKinds? = nil) {
        self.policy = policy
        self.skipped = skipped
    }
}

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

extension CodingUserInfoKey {
    /// The key of the ``UnknownKinds`` by which a decoder's values are decoded.
    public static let unknownKinds: CodingUserInfoKey = {
        guard let key = CodingUserInfoKey(rawValue: "PolymorphicCodable.unknownKinds") else {
            preconditionFailure("a user info key can have any name")
        }
        return key
    }()
}

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

/// Collects the values that the policy `skip` leaves out, in the order in which they are met.
///
/// It may be shared by decodings on several threads. What is met twice, since a type tries to decode one place in two
/// ways, is collected twice.
public final class SkippedKinds: Sendable {
    private let collected = Mutex<[SkippedKind]>([])

    /// A collector of nothing yet.
    public init() {}

    /// What was skipped so far.
    public var all: [SkippedKind] {
        collected.withLock { $0 }
    }

    /// What was skipped since the last call.
    public func take() -> [SkippedKind] {
        collected.withLock { collected in
            defer { collected = [] }
            return collected
        }
    }

    func append(_ skipped: SkippedKind) {
        collected.withLock { $0.append(skipped) }
    }
}
