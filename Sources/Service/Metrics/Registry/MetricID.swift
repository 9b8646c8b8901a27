/// What tells a series from all others of a registry.
struct MetricID: Sendable, Hashable {
    let family: String
    /// Sorted by their names, each of which is there once: else two series could look the same to who reads them.
    let labels: [MetricLabel]

    /// - Parameters:
    ///   - name: as whoever records it says.
    ///   - kind: decides what of the name is the family's.
    init(_ name: String, _ kind: MetricKind, _ dimensions: [(String, String)]) {
        let name = MetricName.metric(name)
        family = name.hasSuffix(kind.suffix) ? String(name.dropLast(kind.suffix.count)) : name
        labels = Self.labels(dimensions.map { MetricLabel($0.0, $0.1) }, reserved: kind.reservedLabel)
    }

    private static func labels(_ all: [MetricLabel], reserved: String?) -> [MetricLabel] {
        var seen = Set([reserved].compactMap(\.self))
        return all.filter { seen.insert($0.name).inserted }.sorted { $0.name < $1.name }
    }
}
