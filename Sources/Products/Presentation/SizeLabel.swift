/// Sizes of downloads as people read them: `512 bytes`, `1.5 KiB`, `700 MiB`.
enum SizeLabel {
    private static let units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]

    /// The label of so many bytes, to a tenth of the unit; nil for a number that no size can be.
    static func text(_ bytes: Int) -> String? {
        guard bytes >= 0 else { return nil }
        guard bytes >= 1024 else { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
        var unit = 0
        while bytes >> (10 * (unit + 2)) > 0 { unit += 1 }
        var tenths = tenths(of: bytes, unit)
        if tenths == 10_240 { (unit, tenths) = (unit + 1, 10) }
        return "\(tenths / 10)\(tenths % 10 == 0 ? "" : ".\(tenths % 10)") \(units[unit])"
    }

    /// Rounded to the nearest, in integers: the last ten bits below the unit are enough for a tenth.
    private static func tenths(of bytes: Int, _ unit: Int) -> Int {
        ((bytes >> (10 * unit)) * 10 + 512) / 1024
    }
}
