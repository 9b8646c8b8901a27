/// A key with its holder, as long as the generation of the keys lasts.
final class VerifiedKey: Sendable {
    let key: [UInt8]
    let holder: KeyHolder
    /// The secret of the `PresentedKeys`, which no other has.
    let verifier: UInt64
    let generation: Int

    init(_ key: [UInt8], _ holder: KeyHolder, by verifier: UInt64, _ generation: Int) {
        (self.key, self.holder, self.verifier, self.generation) = (key, holder, verifier, generation)
    }
}

/// The facts of an issued key. A class of this target, since values of another's types would be copied by their metadata
/// with each request.
package final class KeyHolder: Sendable {
    /// The number that requests carry for the log.
    package let number: UInt32
    /// The expiry in seconds since 1970; nil if the key does not expire.
    package let end: Int64?
    /// Bits of the issuer's own.
    package let scopes: UInt8

    package init(number: UInt32, end: Int64?, scopes: UInt8) {
        (self.number, self.end, self.scopes) = (number, end, scopes)
    }
}
