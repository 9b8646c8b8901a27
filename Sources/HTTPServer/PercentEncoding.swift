/// `%41` in targets and in links to them.
enum PercentEncoding {
    /// The text that the bytes stand for; `nil` when an escape is cut or not hexadecimal, or when the result is not
    /// UTF-8 or holds a NUL.
    static func decode(_ bytes: some Collection<UInt8>, plusIsSpace: Bool = false) -> String? {
        guard plusIsSpace || bytes.contains(UInt8(ascii: "%")) else {
            return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
        }
        guard let decoded = decodedBytes(bytes, plusIsSpace), !decoded.contains(0) else { return nil }
        return String(validating: decoded, as: UTF8.self)
    }

    /// The reason that text cannot be decoded, in words that go behind its name.
    static func fault(in text: String) -> String {
        guard let decoded = decodedBytes(text.utf8, false) else { return "is not properly percent-encoded" }
        return decoded.contains(0) ? "holds a NUL character, which is not allowed" : "does not stand for UTF-8 text"
    }

    private static func decodedBytes(_ bytes: some Collection<UInt8>, _ plusIsSpace: Bool) -> [UInt8]? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var rest = bytes.makeIterator()
        while let byte = rest.next() {
            if byte == UInt8(ascii: "%") {
                guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else { return nil }
                decoded.append(high << 4 | low)
            } else {
                decoded.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return decoded
    }

    /// A name or value of a query, so that it can stand in a header as well. A comma stays as it is, because lists are
    /// read by people.
    static func encode(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        let bytes = text.utf8.flatMap { byte in
            isKept(byte) ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isKept(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default:
            "-._~,".utf8.contains(byte)
        }
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
