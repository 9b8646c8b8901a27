/// Hides keys of a YAML text from a parser that refuses duplicates, without moving anything else.
///
/// A hidden key keeps its length: its characters are replaced by private-use ones, unique for every hidden key.
struct KeyMask {
    private(set) var text: String
    /// The true names of the hidden keys by where they stand.
    private(set) var names: [SourcePosition: String] = [:]
    private let file: String

    private static let filler: Unicode.Scalar = "\u{E000}"
    private static let firstMark: UInt32 = 0xE001
    /// Each mask costs one parse of the file; a file with more duplicates than this gets its first ones reported.
    private static let limit = 100

    init(text: String, file: String) {
        self.text = text
        self.file = file
    }

    /// Hides `key` at `position`, and says whether it could: the key must stand there literally, bare or in quotes.
    mutating func hide(_ key: String, at position: SourcePosition) -> Bool {
        let length = key.unicodeScalars.count
        guard length > 0, names.count < Self.limit, names[position] == nil,
            let mark = Unicode.Scalar(Self.firstMark + UInt32(names.count)),
            let range = range(of: key, at: position)
        else { return false }
        var scalars = text.unicodeScalars
        scalars.replaceSubrange(range, with: repeatElement(Self.filler, count: length - 1) + [mark])
        text = String(scalars)
        names[position] = key
        return true
    }

    private func range(of key: String, at position: SourcePosition) -> Range<String.Index>? {
        let scalars = text.unicodeScalars
        guard var start = index(of: position) else { return nil }
        if start < scalars.endIndex, scalars[start] == "\"" || scalars[start] == "'" {
            start = scalars.index(after: start)
        }
        guard scalars[start...].starts(with: key.unicodeScalars) else { return nil }
        return start..<scalars.index(start, offsetBy: key.unicodeScalars.count)
    }

    /// The place of `position` in the text, by libyaml's idea of lines.
    private func index(of position: SourcePosition) -> String.Index? {
        let scalars = text.unicodeScalars
        var index = scalars.startIndex
        var line = 1
        while line < position.line, index < scalars.endIndex {
            let scalar = scalars[index]
            index = scalars.index(after: index)
            if scalar == "\r", index < scalars.endIndex, scalars[index] == "\n" { continue }
            if ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"].contains(scalar) { line += 1 }
        }
        return scalars.index(index, offsetBy: position.column - 1, limitedBy: scalars.endIndex)
    }
}
