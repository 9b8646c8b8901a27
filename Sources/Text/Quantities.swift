/// Durations in the config's notation: `250ms`, `5s`, `2m`, `3h`, `7d`, and sums of those from large to small, `1m30s`.
package enum DurationText {
    private static let units: [(name: Substring, milliseconds: Int64)] = [
        ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1),
    ]

    /// The duration of `text`, or nil. A bare `0` is accepted; any other number needs its unit.
    package static func parse(_ text: String) -> Duration? {
        if text == "0" { return .zero }
        var rest = text[...]
        var total: Int64 = 0
        var nextUnit = units.startIndex
        guard !rest.isEmpty else { return nil }
        while !rest.isEmpty {
            guard let number = leadingNumber(&rest) else { return nil }
            let name = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(name.count)
            guard let unit = units[nextUnit...].firstIndex(where: { $0.name == name }) else { return nil }
            nextUnit = unit + 1
            let (part, tooLarge) = number.multipliedReportingOverflow(by: units[unit].milliseconds)
            let (sum, overflow) = total.addingReportingOverflow(part)
            guard !tooLarge, !overflow else { return nil }
            total = sum
        }
        return .milliseconds(total)
    }

    /// The shortest text that `parse` converts back to `duration`, to the millisecond.
    package static func format(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        var rest = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
        guard rest > 0 else { return "0s" }
        var text = ""
        for unit in units where rest >= unit.milliseconds {
            text += "\(rest / unit.milliseconds)\(unit.name)"
            rest %= unit.milliseconds
        }
        return text
    }

    private static func leadingNumber(_ text: inout Substring) -> Int64? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        text = text.dropFirst(digits.count)
        return Int64(digits)
    }
}

/// Sizes in the config's notation: `512`, `10kB`, `16KiB`, `5MB`, `64MiB`, `1GB`, `1GiB`.
package enum SizeText {
    private static let units: [(name: Substring, bytes: Int)] = [
        ("GiB", 1 << 30), ("GB", 1_000_000_000), ("MiB", 1 << 20), ("MB", 1_000_000), ("KiB", 1 << 10), ("kB", 1_000),
        ("B", 1),
    ]

    /// The number of bytes of `text`, or nil.
    package static func parse(_ text: String) -> Int? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let suffix = text.dropFirst(digits.count)
        guard let number = Int(digits) else { return nil }
        if suffix.isEmpty { return number }
        guard let unit = units.first(where: { $0.name == suffix }) else { return nil }
        let (bytes, overflow) = number.multipliedReportingOverflow(by: unit.bytes)
        return overflow ? nil : bytes
    }

    /// A text that `parse` converts back to `bytes`, in the largest unit that divides it.
    package static func format(_ bytes: Int) -> String {
        guard bytes > 0, let unit = units.first(where: { bytes % $0.bytes == 0 }), unit.bytes > 1 else {
            return "\(bytes)"
        }
        return "\(bytes / unit.bytes)\(unit.name)"
    }
}
