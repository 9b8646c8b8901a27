/// The value of a request header, as those strategies read it that decide by one.
enum HeaderValue {
    /// Without the blanks around it, which are not part of it (RFC 9110, 5.5). Case and everything else count.
    static func trimmed(_ value: String) -> String {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        guard let last = value.lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(value[...last].drop(while: isBlank))
    }
}
