/// What a family of series is: the same for all of them, however they are made.
struct MetricDescription: Sendable, Hashable {
    /// The name of the family, which is that of its series without `_total` or `_info`.
    let name: String
    let kind: MetricKind
    /// One sentence for whoever finds the name in Prometheus.
    let help: String

    init(_ name: String, _ kind: MetricKind, _ help: String) {
        self.name = name
        self.kind = kind
        self.help = help
    }

    /// The name that a series has that is one number.
    var seriesName: String { name + kind.suffix }

    /// Every name by which it is exposed, in one form or the other.
    var exposedNames: [String] { kind.exposedNames(of: name) }

    /// The unit, which by the rules of OpenMetrics is the end of the family's name; nil where there is none.
    var unit: String? {
        ["seconds", "bytes"].first { name.hasSuffix("_\($0)") }
    }
}
