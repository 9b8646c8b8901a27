internal import COpenSSL
internal import Text

/// A SHA-256 digest: recognises content without keeping it.
///
/// Computed by OpenSSL, which the TLS edge links already and which uses the processor's SHA instructions.
public struct SHA256Digest: Hashable, Sendable {
    /// The digest as four numbers, its first byte the highest of the first number.
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

    /// The 32 bytes.
    public var bytes: [UInt8] {
        (0..<32).map { UInt8(truncatingIfNeeded: words[$0 / 8] >> UInt64(56 - $0 % 8 * 8)) }
    }

    /// The digest as 64 lower-case hexadecimal digits.
    public var hexDigits: String {
        (0..<4).map { words[$0].hexDigits }.joined()
    }
}

/// SHA-1, for protocols that name things by it. It protects nothing.
public enum SHA1 {
    /// The digest as 40 lower-case hexadecimal digits.
    public static func hexDigits(of bytes: some Sequence<UInt8>) -> String {
        let bytes = Array(bytes)
        var digest = [UInt8](repeating: 0, count: 20)
        _ = unsafe COpenSSL.SHA1(bytes, bytes.count, &digest)
        return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
