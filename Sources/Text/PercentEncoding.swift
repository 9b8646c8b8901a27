/// Percent-encoding by RFC 3986.
package enum PercentEncoding {
    /// The decoded part of a query or a URL; `nil` if an escape is cut or not hexadecimal, or if the result is not
    /// UTF-8 or contains a NUL.
    package static func decode(_ text: Substring.UTF8View, plusIsSpace: Bool = false) -> String? {
        unsafe text.span.withUnsafeBytes { unsafe decode($0, plusIsSpace: plusIsSpace) }
    }

    /// Decodes bytes by the same rules. A generic function would not be specialised for callers in other targets.
    package static func decode(_ bytes: UnsafeRawBufferPointer, plusIsSpace: Bool = false) -> String? {
        var isEncoded = false
        for index in bytes.indices {
            let byte = unsafe bytes[index]
            if byte == 0 { return nil }
            if byte == UInt8(ascii: "%") || plusIsSpace && byte == UInt8(ascii: "+") { isEncoded = true }
        }
        guard isEncoded else { return unsafe text(bytes) }
        guard let decoded = unsafe decodedBytes(bytes, plusIsSpace), !decoded.contains(0) else { return nil }
        return String(validating: decoded, as: UTF8.self)
    }

    /// The text of valid UTF-8. `String(validating:as:)` looks up generic types on each call.
    private static func text(_ bytes: UnsafeRawBufferPointer) -> String? {
        do throws(UTF8.ValidationError) {
            return String(copying: try UTF8Span(validating: unsafe bytes.bindMemory(to: UInt8.self).span))
        } catch {
            return nil
        }
    }

    /// Describes why `decode` refuses a text, in words to follow its name.
    package static func fault(in text: String) -> String {
        guard let decoded = unsafe text.utf8.span.withUnsafeBytes({ unsafe decodedBytes($0, false) }) else {
            return "is not properly percent-encoded"
        }
        return decoded.contains(0) ? "holds a NUL character, which is not allowed" : "does not stand for UTF-8 text"
    }

    private static func decodedBytes(_ bytes: UnsafeRawBufferPointer, _ plusIsSpace: Bool) -> [UInt8]? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            let byte = unsafe bytes[index]
            index += 1
            if byte == UInt8(ascii: "%") {
                guard index + 1 < bytes.count, let high = unsafe bytes[index].hexValue,
                    let low = unsafe bytes[index + 1].hexValue
                else { return nil }
                decoded.append(high << 4 | low)
                index += 2
            } else {
                decoded.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return decoded
    }

    /// Encodes a name or value of a query: only unreserved characters and `others` are kept.
    package static func component(_ text: String, keeping others: String = "") -> String {
        encode(text) { isUnreserved($0) || others.utf8.contains($0) }
    }

    /// Encodes a path from a config file: encodes characters that are invalid in a URL, and keeps existing escapes.
    package static func path(_ text: String) -> String {
        encode(text) { isUnreserved($0) || "/%:@!$&'()*+,;=?".utf8.contains($0) }
    }

    /// Encodes blanks and the like in a URL from outside; keeps reserved characters and escapes.
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
