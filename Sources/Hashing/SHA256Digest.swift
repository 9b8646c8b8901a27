internal import COpenSSL
internal import Text

/// A SHA-256 digest, to recognise content without keeping it.
///
/// Computed by OpenSSL, which the TLS edge links already and which uses the processor's SHA instructions.
public struct SHA256Digest: Hashable, Sendable {
    /// The digest as four numbers; the first byte is the highest of the first number.
    public let words: SIMD4<UInt64>

    /// Hashes the bytes.
    public init(of bytes: some Collection<UInt8>) {
        var digest = InlineArray<32, UInt8>(repeating: 0)
        var span = digest.mutableSpan
        unsafe span.withUnsafeMutableBufferPointer { digest in
            let isContiguous: Void? = bytes.withContiguousStorageIfAvailable { bytes in
                _ = unsafe SHA256(bytes.baseAddress, bytes.count, digest.baseAddress)
            }
            if isContiguous == nil {
                let copy = Array(bytes)
                _ = unsafe SHA256(copy, copy.count, digest.baseAddress)
            }
        }
        var words = SIMD4<UInt64>()
        for index in digest.indices {
            words[index / 8] = words[index / 8] << 8 | UInt64(digest[index])
        }
        self.words = words
    }

    /// Parses 64 hexadecimal digits; nil for anything else.
    public init?(hexDigits: some StringProtocol) {
        guard hexDigits.utf8.count == 64, hexDigits.allSatisfy(\.isHexDigit) else { return nil }
        var (words, rest) = (SIMD4<UInt64>(), hexDigits[...])
        for index in 0..<4 {
            guard let word = UInt64(rest.prefix(16), radix: 16) else { return nil }
            (words[index], rest) = (word, rest.dropFirst(16))
        }
        self.words = words
    }

    /// The 32 bytes.
    public var bytes: [UInt8] {
        (0..<32).map { UInt8(truncatingIfNeeded: words[$0 / 8] >> UInt64(56 - $0 % 8 * 8)) }
    }

    /// The digest as 64 lower-case hexadecimal digits.
    public var hexDigits: String {
        (0..<4).map { words[$0].hexDigits }.joined()
    }
}

/// SHA-1, for protocols that identify content by it. It is not secure.
public enum SHA1 {
    /// The digest as 40 lower-case hexadecimal digits.
    public static func hexDigits(of bytes: some Sequence<UInt8>) -> String {
        let bytes = Array(bytes)
        var digest = [UInt8](repeating: 0, count: 20)
        _ = unsafe COpenSSL.SHA1(bytes, bytes.count, &digest)
        return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

/// HMAC-SHA-256 (RFC 2104, FIPS 180-4), and the comparison that goes with it.
public enum MessageAuthentication {
    /// The 32 bytes of the code of a message under a key, which is not empty.
    public static func code(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        precondition(!key.isEmpty, "HMAC requires a key")
        var code = [UInt8](repeating: 0, count: 32)
        let made = unsafe HMAC(EVP_sha256(), key, Int32(key.count), message, message.count, &code, nil)
        unsafe precondition(made != nil, "OpenSSL has no SHA-256")
        return code
    }

    /// Whether both texts are equal, in a time that depends on their lengths only.
    public static func areSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        guard one.count == other.count else { return false }
        return unsafe CRYPTO_memcmp(one, other, one.count) == 0
    }
}
