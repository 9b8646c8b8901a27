import JSON

extension GenerationFile {
    /// How many bytes at the start of a file are enough to hold every header of the current format.
    static let peekLength = 512

    /// The header in the first bytes of a file of the current format; nil when it cannot be told.
    static func peekHeader(_ start: [UInt8]) -> GenerationHeader? {
        let text = String(decoding: start, as: UTF8.self)
        guard let separator = text.firstRange(of: ",\"\(products)\":"),
            let object = try? JSONParser().parse(Array((text[..<separator.lowerBound] + "}").utf8)),
            let header = try? JSONValueDecoder.decode(GenerationHeader.self, from: object),
            header.format == GenerationHeader.currentFormat, header.isSealed
        else { return nil }
        return header
    }

    /// Whether the first bytes of a file say that a newer version of the service wrote it.
    static func isNewer(_ start: [UInt8]) -> Bool {
        let text = String(decoding: start, as: UTF8.self)
        guard let key = text.firstRange(of: "\"format\"") else { return false }
        let value = text[key.upperBound...].drop { $0 == ":" || $0.isWhitespace }
        return Int(value.prefix { $0.isNumber }).map { $0 > GenerationHeader.currentFormat } ?? false
    }
}
