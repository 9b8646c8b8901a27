/// What the numbers of a family are. The raw value is the type in the OpenMetrics format.
enum MetricKind: String, Sendable {
    /// Only grows; its samples are named `…_total`.
    case counter
    /// Goes up and down.
    case gauge
    /// How many of the values were at most so large.
    case histogram
    /// What the labels say; its samples are named `…_info` and always 1.
    case info

    /// What the name of a number of the family has behind the name of the family.
    var suffix: String {
        switch self {
        case .counter: "_total"
        case .info: "_info"
        case .gauge, .histogram: ""
        }
    }

    /// Every name by which a family of this name is exposed, in one form or the other.
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
