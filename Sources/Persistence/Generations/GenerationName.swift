/// The name of a file that holds one generation: `generation-0000000007.json`.
struct GenerationName: Sendable, Hashable, Comparable {
    /// Which generation. Higher is newer.
    let number: Int
    /// The name as it stands in the directory, however many zeros it has.
    let fileName: String

    private static let prefix = "generation-"
    private static let suffix = ".json"
    private static let corruptSuffix = ".json.corrupt"

    /// The name of a new generation.
    init(number: Int) {
        self.number = number
        fileName = Self.prefix + Padding.zeros(number, width: 10) + Self.suffix
    }

    /// The generation that a file is; nil for any other file.
    init?(fileName: String) {
        guard let number = Self.number(in: fileName, suffix: Self.suffix) else { return nil }
        self.number = number
        self.fileName = fileName
    }

    /// The name under which the file is moved aside when it is damaged.
    var corruptFileName: String { fileName + ".corrupt" }

    /// The name that only the holder of the directory's lock may use while it writes this generation.
    var temporaryFileName: String { ".\(fileName).\(UInt64.random(in: 0...UInt64.max)).tmp" }

    /// The number of a generation that was moved aside; nil for any other file.
    static func corruptNumber(_ fileName: String) -> Int? {
        number(in: fileName, suffix: corruptSuffix)
    }

    /// Whether a file is what a writer left that did not come to its end.
    static func isTemporary(_ fileName: String) -> Bool {
        fileName.hasPrefix(".\(prefix)") && fileName.hasSuffix(".tmp")
    }

    static func < (left: GenerationName, right: GenerationName) -> Bool {
        (left.number, left.fileName) < (right.number, right.fileName)
    }

    /// At most 18 digits, so that the next number exists too.
    private static func number(in fileName: String, suffix: String) -> Int? {
        guard fileName.hasPrefix(prefix), fileName.hasSuffix(suffix) else { return nil }
        let digits = fileName.dropFirst(prefix.count).dropLast(suffix.count)
        guard (1...18).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(digits)
    }
}
