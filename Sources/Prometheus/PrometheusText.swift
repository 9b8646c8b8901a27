/// Writes families as a text that Prometheus reads.
package struct MetricsWriter {
    private let format: MetricsFormat
    private var text = ""

    private init(_ format: MetricsFormat) {
        self.format = format
    }

    /// The whole text.
    package static func text(of families: [MetricFamily], in format: MetricsFormat) -> String {
        var writer = MetricsWriter(format)
        for family in families where !family.series.isEmpty { writer.add(family) }
        if format == .openMetrics { writer.text += "# EOF\n" }
        return writer.text
    }

    private mutating func add(_ family: MetricFamily) {
        addHead(of: family.description)
        for series in family.series {
            switch series.value {
            case .count(let count): add(family.description.seriesName, series.labels, "\(count)")
            case .number(let number): add(family.description.seriesName, series.labels, MetricNumber.text(number))
            case .histogram(let reading): add(reading, family.description.name, series.labels)
            }
        }
    }

    /// The older form knows no infos, and calls a family what its series are called.
    private mutating func addHead(of description: MetricDescription) {
        switch format {
        case .text:
            let kind = description.kind == .info ? .gauge : description.kind
            add("TYPE", description.seriesName, kind.rawValue)
            add("HELP", description.seriesName, MetricEscapes.help(description.help))
        case .openMetrics:
            add("TYPE", description.name, description.kind.rawValue)
            if let unit = description.unit { add("UNIT", description.name, unit) }
            add("HELP", description.name, MetricEscapes.help(description.help))
        }
    }

    private mutating func add(_ keyword: String, _ name: String, _ value: String) {
        text += "# \(keyword) \(name) \(value)\n"
    }

    /// Each bucket counts those before it too.
    private mutating func add(_ reading: HistogramReading, _ name: String, _ labels: [MetricLabel]) {
        var total = 0
        for (index, count) in reading.counts.enumerated() {
            total += count
            let bound = index < reading.bounds.count ? reading.bounds[index] : .infinity
            add("\(name)_bucket", labels + [MetricLabel("le", MetricNumber.text(bound))], "\(total)")
        }
        add("\(name)_sum", labels, MetricNumber.text(reading.sum))
        add("\(name)_count", labels, "\(total)")
    }

    private mutating func add(_ name: String, _ labels: [MetricLabel], _ value: String) {
        text += name
        if !labels.isEmpty {
            text += "{"
            text += labels.map { "\($0.name)=\"\(MetricEscapes.label($0.value))\"" }.joined(separator: ",")
            text += "}"
        }
        text += " \(value)\n"
    }
}

/// Writes texts such that both forms take them.
///
/// They are taken byte by byte: to Swift the end of a line and what stands before it may be one character.
enum MetricEscapes {
    /// The value of a label, to stand between quotes.
    static func label(_ text: String) -> String { escaped(text, quote: #"\""#) }

    /// The text of a `# HELP` line. One format escapes quotes there and the other does not, so quotes are replaced.
    static func help(_ text: String) -> String { escaped(text, quote: "'") }

    private static func escaped(_ text: String, quote: String) -> String {
        guard text.utf8.contains(where: isSpecial) else { return text }
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\\"): bytes += #"\\"#.utf8
            case UInt8(ascii: "\""): bytes += quote.utf8
            case UInt8(ascii: "\n"): bytes += #"\n"#.utf8
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\n")
    }
}

/// Numbers as both forms have them.
enum MetricNumber {
    /// The shortest text that means this number.
    static func text(_ number: Double) -> String {
        if number.isNaN { return "NaN" }
        if number.isInfinite { return number < 0 ? "-Inf" : "+Inf" }
        return "\(number)"
    }
}

/// A form in which metrics are exposed.
package enum MetricsFormat: Sendable, Hashable, CaseIterable {
    /// The Prometheus text format.
    case text
    /// The OpenMetrics format, without exemplars.
    case openMetrics

    package var contentType: String {
        switch self {
        case .text: "text/plain; version=0.0.4; charset=utf-8"
        case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
        }
    }
}
