/// Makes names that Prometheus takes. Those of the service are such names already; libraries like dots and dashes.
enum MetricName {
    /// The name of a family or a series.
    static func metric(_ name: String) -> String { allowed(name, alsoColon: true) }

    /// The name of a label.
    static func label(_ name: String) -> String { allowed(name, alsoColon: false) }

    private static func allowed(_ name: String, alsoColon: Bool) -> String {
        var bytes = name.utf8.map { isAllowed($0, alsoColon) ? $0 : UInt8(ascii: "_") }
        if bytes.first.map(isDigit) ?? true { bytes.insert(UInt8(ascii: "_"), at: 0) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isAllowed(_ byte: UInt8, _ alsoColon: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
        case UInt8(ascii: ":"): alsoColon
        default: isDigit(byte)
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
