package import CoreMetrics
package import FoundationEssentials

/// All series of one name at one moment.
package struct MetricFamily: Sendable {
    package let description: MetricDescription
    /// Series with different labels: Prometheus rejects a scrape that has a series twice.
    package let series: [MetricSeries]

    /// A family of one series without labels, or of none.
    package init(_ description: MetricDescription, _ value: MetricValue?) {
        self.init(description, value.map { [MetricSeries([:], $0)] } ?? [])
    }

    /// A family whose series differ in one label.
    package init(_ description: MetricDescription, _ label: String, _ values: [(String, MetricValue)]) {
        self.init(description, values.map { MetricSeries(labels: [MetricLabel(label, $0)], value: $1) })
    }

    package init(_ description: MetricDescription, _ series: [MetricSeries]) {
        self.description = description
        var seen: Set<[MetricLabel]> = []
        self.series = series.filter { seen.insert($0.labels).inserted }
    }
}

/// One series of a family at one moment.
package struct MetricSeries: Sendable {
    package let labels: [MetricLabel]
    package let value: MetricValue

    package init(_ labels: KeyValuePairs<String, String> = [:], _ value: MetricValue) {
        self.init(labels: labels.map { MetricLabel($0.key, $0.value) }, value: value)
    }

    package init(labels: [MetricLabel], value: MetricValue) {
        self.labels = labels
        self.value = value
    }

    /// Whether this series comes before another one of its family.
    func isBefore(_ other: MetricSeries) -> Bool {
        labels.lexicographicallyPrecedes(other.labels) { ($0.name, $0.value) < ($1.name, $1.value) }
    }
}

/// The value of a series at one moment.
package enum MetricValue: Sendable {
    /// A counter that counts whole things, or a gauge of whole things.
    case count(Int)
    case number(Double)
    case histogram(HistogramReading)

    /// Seconds since 1970, to the millisecond.
    package static func timestamp(_ time: Date) -> MetricValue {
        .number((time.timeIntervalSince1970 * 1000).rounded() / 1000)
    }
}

/// A dimension of a series, as exposed.
package struct MetricLabel: Sendable, Hashable {
    package let name: String
    package let value: String

    /// - Parameter name: characters that the format does not allow become underscores.
    init(_ name: String, _ value: String) {
        self.name = MetricName.label(name)
        self.value = value
    }
}

/// The type of a metric.
package enum MetricKind: String, Sendable {
    case counter
    case gauge
    case histogram
    /// A constant 1, whose labels carry the information.
    case info

    /// The suffix of the series' name after the family's.
    var suffix: String {
        switch self {
        case .counter: "_total"
        case .info: "_info"
        case .gauge, .histogram: ""
        }
    }

    /// Lists the reserved names of a family: its own, and its samples'.
    func exposedNames(of family: String) -> [String] {
        let endings: [String] =
            switch self {
            case .counter, .info: [suffix]
            case .gauge: []
            case .histogram: ["_bucket", "_sum", "_count"]
            }
        return [family] + endings.map { family + $0 }
    }

    /// The label that the format itself sets.
    var reservedLabel: String? { self == .histogram ? "le" : nil }
}

/// The declaration of a metric.
package struct MetricDescription: Sendable {
    /// The name of the family: the series' name without `_total` or `_info`.
    let name: String
    package let kind: MetricKind
    /// One sentence, which Prometheus shows.
    package let help: String
    /// The bounds of a histogram.
    let buckets: HistogramBuckets

    package init(_ name: String, _ kind: MetricKind, _ help: String, buckets: HistogramBuckets = .exchanges) {
        self.name = name
        self.kind = kind
        self.help = help
        self.buckets = buckets
    }

    /// The name of a series that is a single number.
    package var seriesName: String { name + kind.suffix }

    var exposedNames: [String] { kind.exposedNames(of: name) }
}

/// The instruments of a family. Without a factory they record nothing.
extension MetricDescription {
    package func counter(_ labels: [(String, String)] = [], in factory: (any MetricsFactory)?) -> Counter {
        Counter(label: seriesName, dimensions: labels, factory: factory ?? NOOPMetricsHandler.instance)
    }

    /// Makes a counter for each value of a label. All start at 0, so that their first count is an increase.
    package func counters<Value: CaseIterable & Hashable & RawRepresentable<String>>(
        by label: String, _ labels: [(String, String)] = [], in factory: (any MetricsFactory)?
    ) -> [Value: Counter] {
        Value.allCases.reduce(into: [:]) { counters, value in
            counters[value] = counter(labels + [(label, value.rawValue)], in: factory)
        }
    }

    package func timer(_ labels: [(String, String)], in factory: (any MetricsFactory)?) -> CoreMetrics.Timer {
        CoreMetrics.Timer(label: seriesName, dimensions: labels, factory: factory ?? NOOPMetricsHandler.instance)
    }
}

/// Converts names that libraries use, such as those with dots and dashes, to valid Prometheus names.
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
