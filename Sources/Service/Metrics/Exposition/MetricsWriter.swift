/// Writes families as a text that Prometheus reads.
struct MetricsWriter {
    private let format: MetricsFormat
    private var text = ""

    private init(_ format: MetricsFormat) {
        self.format = format
    }

    /// The whole text.
    static func text(of families: [MetricFamily], in format: MetricsFormat) -> String {
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
