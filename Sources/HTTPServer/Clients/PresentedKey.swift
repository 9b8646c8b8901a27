internal import Concurrency

/// Recognises the keys that requests present, so that each is verified once: a digest costs more than a response.
///
/// Shared by loops. Each loop has its own part, which keeps verified keys only; a request with the head of the last one on
/// its connection needs no look-up. Neither the slot of a key, by a keyed hash, nor the time of a comparison depends on
/// other keys.
package final class PresentedKeys: Sendable {
    private final class Part: Sendable {
        let slots = Mutex([VerifiedKey?](repeating: nil, count: PresentedKeys.slotCount))
        /// The generation of the keys in the slots.
        let generation = Mutex(0)

        /// Keeps a key, and none of another generation.
        func keep(_ verified: VerifiedKey, in slot: Int) {
            let isOther = generation.withLock { generation in
                defer { generation = verified.generation }
                return generation != verified.generation
            }
            slots.withLock { slots in
                if isOther { slots = Array(repeating: nil, count: slots.count) }
                slots[slot] = verified
            }
        }
    }

    private static var partCount: Int { 16 }
    private static var slotCount: Int { 1024 }
    private let parts = (0..<PresentedKeys.partCount).map { _ in Part() }
    private let secret = UInt64.random(in: .min ... .max) | 1

    package init() {}

    /// The holder of the request's key, if an earlier request of its connection had the same head; nil otherwise.
    package func verified(by request: HTTPRequest, generation: Int) -> KeyHolder? {
        request.storage.holder(verifiedBy: secret, generation: generation)
    }

    /// The holder of the request's key, in `Authorization: Bearer` or `X-Api-Key`; nil without either.
    ///
    /// - Parameters:
    ///   - generation: of the keys that are issued; another one has every key verified again.
    ///   - verify: returns the holder of a key, which is not empty; nil for one that was not issued.
    package func holder(of request: HTTPRequest, generation: Int, verify: ([UInt8]) -> KeyHolder?) -> PresentedKey? {
        unsafe request.withPresentedKey { key in
            if unsafe key.isEmpty { return .unknown }
            let slot = unsafe slot(of: key)
            let part = parts[Int(request.serial.server % UInt64(Self.partCount))]
            if let known = part.slots.withLock({ $0[slot] }), known.generation == generation,
                unsafe Self.areSame(known.key, key)
            {
                request.storage.keep(known)
                return .valid(known.holder)
            }
            let bytes = unsafe [UInt8](key)
            guard let holder = verify(bytes) else { return .unknown }
            let verified = VerifiedKey(bytes, holder, by: secret, generation)
            part.keep(verified, in: slot)
            request.storage.keep(verified)
            return .valid(holder)
        }
    }

    private func slot(of key: UnsafeRawBufferPointer) -> Int {
        var hash = secret
        unsafe Self.forEachWord(of: key) {
            hash = (hash ^ $0) &* secret
            hash ^= hash >> 32
        }
        return Int(hash >> 20 % UInt64(Self.slotCount))
    }

    /// Takes the same time wherever they differ.
    private static func areSame(_ one: [UInt8], _ other: UnsafeRawBufferPointer) -> Bool {
        guard one.count == other.count else { return false }
        return unsafe one.withUnsafeBytes { one in
            var (difference, at) = (UInt64(0), 0)
            unsafe forEachWord(of: other) { word in
                unsafe difference |= word ^ Self.word(of: one, at: at)
                at += 8
            }
            return difference == 0
        }
    }

    private static func forEachWord(of key: UnsafeRawBufferPointer, _ body: (UInt64) -> Void) {
        for at in stride(from: 0, to: key.count, by: 8) { unsafe body(word(of: key, at: at)) }
    }

    /// Eight bytes, or the last ones.
    private static func word(of key: UnsafeRawBufferPointer, at start: Int) -> UInt64 {
        if start + 8 <= key.count { return unsafe key.loadUnaligned(fromByteOffset: start, as: UInt64.self) }
        return unsafe key[start...].reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// The outcome of looking at the key of a request.
package enum PresentedKey: Sendable {
    case valid(KeyHolder)
    case unknown
}

extension HTTPRequest {
    /// The most bytes of a key.
    private static let longestKey = 512
    private static let authorization = FieldName("authorization")
    private static let apiKey = FieldName("x-api-key")

    /// Passes the bytes of the first key among the fields; nil without one. One with too many bytes is empty.
    fileprivate func withPresentedKey<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value? {
        var found: Value?
        unsafe storage.forEachField { name, value in
            guard found == nil else { return }
            var key = unsafe value
            if unsafe Self.authorization.matches(name) {
                let scheme = "bearer ".utf8
                guard value.count > scheme.count,
                    unsafe HTTPSyntax.isSameName(value.prefix(scheme.count), scheme)
                else { return }
                unsafe key = UnsafeRawBufferPointer(rebasing: value.dropFirst(scheme.count))
            } else if unsafe !Self.apiKey.matches(name) {
                return
            }
            if key.count > Self.longestKey { unsafe key = UnsafeRawBufferPointer(rebasing: key.prefix(0)) }
            found = unsafe body(key)
        }
        return found
    }
}
