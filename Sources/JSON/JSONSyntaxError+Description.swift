extension JSONSyntaxError: CustomStringConvertible {
    /// The sentence, as `line 3, column 7: expected "," or "]", found "}"`.
    public var description: String { "line \(line), column \(column): \(reason)" }
}

extension JSONSyntaxError.Reason: CustomStringConvertible {
    /// What is wrong, without the place.
    public var description: String {
        switch self {
        case .unexpected(let byte, let expected): "expected \(expected), found \(Self.name(byte))"
        case .invalidUTF8: "a string that is not UTF-8"
        case .controlCharacter(let byte): "control character \(byte) in a string must be escaped"
        case .invalidEscape(let byte): "\(Self.name(byte)) makes no escape"
        case .loneSurrogate: "half of a surrogate pair"
        case .duplicateKey(let key): "duplicate key \"\(TextExcerpt(key))\""
        case .tooDeep(let limit): "nested deeper than \(limit)"
        }
    }

    private static func name(_ byte: UInt8?) -> String {
        guard let byte else { return "the end" }
        return (0x21..<0x7F).contains(byte) ? "\"\(Unicode.Scalar(byte))\"" : "byte \(byte)"
    }
}
