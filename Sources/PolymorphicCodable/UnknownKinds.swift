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
