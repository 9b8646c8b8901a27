/// Numbers of bytes as the config writes them: `512`, `10kB`, `16KiB`, `5MB`, `64MiB`, `1GB`, `1GiB`.
public enum SizeText {
    private static let units: [(name: Substring, bytes: Int)] = [
        ("GiB", 1 << 30), ("GB", 1_000_000_000), ("MiB", 1 << 20), ("MB", 1_000_000), ("KiB", 1 << 10), ("kB", 1_000),
        ("B", 1),
    ]

    /// The number of bytes that `text` stands for, or nil.
    public static func parse(_ text: String) -> Int? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let suffix = text.dropFirst(digits.count)
        guard let number = Int(digits) else { return nil }
        if suffix.isEmpty { return number }
        guard let unit = units.first(where: { $0.name == suffix }) else { return nil }
        let (bytes, overflow) = number.multipliedReportingOverflow(by: unit.bytes)
        return overflow ? nil : bytes
    }

    /// A text that `parse` turns back into `bytes`, in the largest unit that divides it.
    public static func format(_ bytes: Int) -> String {
        guard bytes > 0, let unit = units.first(where: { bytes % $0.bytes == 0 }), unit.bytes > 1 else {
            return "\(bytes)"
        }
        return "\(bytes / unit.bytes)\(unit.name)"
    }
}
