internal import Concurrency
internal import Glibc

/// Recognises the keys that requests present, so that each is verified once: a digest costs more than a response.
///
/// Shared by loops. Each loop has its own part, which keeps verified keys only, so at most the issued ones.
package final class PresentedKeys: Sendable {
    private struct State {
        var generation = 0
        /// By a keyed hash, so that neither the time nor a collision tells a client anything about other keys.
        var verified: [Int: (key: [UInt8], holder: KeyHolder)] = [:]
    }

    private static var partCount: Int { 16 }
    private let parts: [Part]

    private final class Part: Sendable {
        let state = Mutex(State())
    }

    package init() { parts = (0..<Self.partCount).map { _ in Part() } }

    /// The holder of the request's key, in `Authorization: Bearer` or `X-Api-Key`; nil without either.
    ///
    /// - Parameters:
    ///   - generation: of the keys that are issued; another one has every key verified again.
    ///   - verify: returns the holder of a key, which is not empty; nil for one that was not issued.
    package func holder(of request: HTTPRequest, generation: Int, verify: ([UInt8]) -> KeyHolder?) -> PresentedKey? {
        unsafe request.withPresentedKey { key in
            if unsafe key.isEmpty { return .unknown }
            var hasher = Hasher()
            unsafe hasher.combine(bytes: key)
            let hash = hasher.finalize()
            let part = parts[Int(request.serial.server % UInt64(Self.partCount))]
            let known = part.state.withLock { state -> KeyHolder? in
                guard state.generation == generation, let known = state.verified[hash] else { return nil }
                return unsafe Self.areSame(known.key, key) ? known.holder : nil
            }
            if let known { return .valid(known) }
            let bytes = unsafe [UInt8](key)
            guard let holder = verify(bytes) else { return .unknown }
            part.state.withLock { state in
                if state.generation != generation { state = State(generation: generation) }
                state.verified[hash] = (bytes, holder)
            }
            return .valid(holder)
        }
    }

    private static func areSame(_ one: [UInt8], _ other: UnsafeRawBufferPointer) -> Bool {
        guard one.count == other.count, let start = other.baseAddress else { return false }
        return unsafe memcmp(one, start, one.count) == 0
    }
}

/// The facts of an issued key. A class of this target, since values of another's types would be copied by their metadata
/// with each request.
package final class KeyHolder: Sendable {
    /// The number that requests carry for the log.
    package let number: UInt32
    /// The seconds since 1970 from which on the key is not valid; nil for no end.
    package let end: Int64?
    /// Bits of the issuer's own.
    package let scopes: UInt8

    package init(number: UInt32, end: Int64?, scopes: UInt8) {
        (self.number, self.end, self.scopes) = (number, end, scopes)
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

    /// Passes the bytes of the first key among the fields; nil without one. One with too many bytes is empty.
    fileprivate func withPresentedKey<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value? {
        var found: Value?
        unsafe storage.forEachField { name, value in
            guard name.count == 13 || name.count == 9, found == nil else { return }
            var key = unsafe value
            if unsafe Self.isName(name, "authorization".utf8) {
                let scheme = "bearer ".utf8
                guard value.count > scheme.count,
                    unsafe Self.isName(UnsafeRawBufferPointer(rebasing: value.prefix(scheme.count)), scheme)
                else { return }
                unsafe key = UnsafeRawBufferPointer(rebasing: value.dropFirst(scheme.count))
            } else if unsafe !Self.isName(name, "x-api-key".utf8) {
                return
            }
            if key.count > Self.longestKey { unsafe key = UnsafeRawBufferPointer(rebasing: key.prefix(0)) }
            found = unsafe body(key)
        }
        return found
    }
}
