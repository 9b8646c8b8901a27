internal import COpenSSL

/// HMAC-SHA-256 (RFC 2104, FIPS 180-4), and the comparison that goes with it.
public enum MessageAuthentication {
    /// The 32 bytes of the code of a message under a key, which is not empty.
    public static func code(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        precondition(!key.isEmpty, "a code needs a key")
        var code = [UInt8](repeating: 0, count: 32)
        let made = unsafe HMAC(EVP_sha256(), key, Int32(key.count), message, message.count, &code, nil)
        unsafe precondition(made != nil, "OpenSSL knows no SHA-256")
        return code
    }

    /// Whether both texts are the same, found in a time that depends on their lengths only.
    public static func areSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        guard one.count == other.count else { return false }
        return unsafe CRYPTO_memcmp(one, other, one.count) == 0
    }
}
