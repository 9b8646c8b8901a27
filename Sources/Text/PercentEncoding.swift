/// Percent-encoding by RFC 3986.
package enum PercentEncoding {
    /// The text that the bytes stand for; `nil` when an escape is cut or not hexadecimal, or when the result is not
    /// UTF-8 or holds a NUL.
    @inlinable
    package static func decode(_ bytes: some Collection<UInt8>, plusIsSpace: Bool = false) -> String? {
        guard plusIsSpace || bytes.contains(UInt8(ascii: "%")) else {
            return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
        }
        guard let decoded = decodedBytes(bytes, plusIsSpace), !decoded.contains(0) else { return nil }
        return String(validating: decoded, as: UTF8.self)
    }

    /// Decodes a part of a path. Not generic, so that callers in other targets get specialised code.
    package static func decode(_ bytes: UnsafeRawBufferPointer) -> String? {
        var isEscaped = false
        for index in bytes.indices {
            let byte = unsafe bytes[index]
            if byte == 0 { return nil }
            if byte == UInt8(ascii: "%") { isEscaped = true }
        }
        if isEscaped {
            guard let decoded = unsafe decodedBytes(bytes, false), !decoded.contains(0) else { return nil }
            return String(validating: decoded, as: UTF8.self)
        }
        return unsafe String(validating: bytes, as: UTF8.self)
    }

    /// Says why `decode` refuses a text, in words that go behind its name.
    package static func fault(in text: String) -> String {
        guard let decoded = decodedBytes(text.utf8, false) else { return "is not properly percent-encoded" }
        return decoded.contains(0) ? "holds a NUL character, which is not allowed" : "does not stand for UTF-8 text"
    }

    @inlinable
    static func decodedBytes(_ bytes: some Collection<UInt8>, _ plusIsSpace: Bool) -> [UInt8]? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var rest = bytes.makeIterator()
        while let byte = rest.next() {
            if byte == UInt8(ascii: "%") {
                guard let high = rest.next()?.hexValue, let low = rest.next()?.hexValue else { return nil }
                decoded.append(high << 4 | low)
            } else {
                decoded.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return decoded
    }

    /// Encodes a name or value of a query: only unreserved characters stay, and those of `others`.
    package static func component(_ text: String, keeping others: String = "") -> String {
        encode(text) { isUnreserved($0) || others.utf8.contains($0) }
    }

    /// Encodes a path from a config file: what may not stand in a URL is encoded, existing escapes stay.
    package static func path(_ text: String) -> String {
        encode(text) { isUnreserved($0) || "/%:@!$&'()*+,;=?".utf8.contains($0) }
    }

    /// Encodes blanks and the like in a URL from outside; reserved characters and escapes stay as they are.
    package static func url(_ text: String) -> String {
        encode(text) { $0 > 0x20 && $0 < 0x7F && !"\"<>^`{|}".utf8.contains($0) }
    }

    private static func encode(_ text: String, keeping isKept: (UInt8) -> Bool) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        let bytes = text.utf8.flatMap { byte in
            isKept(byte) ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || "-._~".utf8.contains(byte)
    }
}
