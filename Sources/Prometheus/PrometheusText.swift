/// Writes families in the text format of Prometheus.
package struct MetricsWriter {
    private var text = ""

    package static func text(of families: [MetricFamily]) -> String {
        var writer = MetricsWriter()
        for family in families where !family.series.isEmpty { writer.add(family) }
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

    /// The format has no info type, and names a family like its series.
    private mutating func addHead(of description: MetricDescription) {
        let kind = description.kind == .info ? .gauge : description.kind
        add("TYPE", description.seriesName, kind.rawValue)
        add("HELP", description.seriesName, MetricEscapes.help(description.help))
    }

    private mutating func add(_ keyword: String, _ name: String, _ value: String) {
        text += "# \(keyword) \(name) \(value)\n"
    }

    /// Buckets are cumulative.
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

/// Escapes texts for the format.
///
/// Works on bytes, because a line end and the character before it may be one `Character`.
enum MetricEscapes {
    /// The value of a label, to stand between quotes.
    static func label(_ text: String) -> String { escaped(text, quote: #"\""#) }

    /// The text after `# HELP`. Double quotes become single ones: parsers disagree on their escapes there.
    static func help(_ text: String) -> String { escaped(text, quote: "'") }

    private static func escaped(_ text: String, quote: String) -> String {
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
}

/// Writes numbers for the format.
enum MetricNumber {
    /// The shortest text of this number.
    static func text(_ number: Double) -> String {
        if number.isNaN { return "NaN" }
        if number.isInfinite { return number < 0 ? "-Inf" : "+Inf" }
        return "\(number)"
    }
}
