/// Whether the buckets of a histogram can be true.
struct HistogramCheck {
    /// Why they cannot; nil where they can.
    let reason: String?

    init(_ family: ExposedFamily) {
        let groups = Dictionary(grouping: family.samples) { sample in
            sample.labels.filter { $0.key != "le" }
        }
        reason = groups.values.lazy.compactMap { Self.reason(against: $0, of: family.name) }.first
    }

    private static func reason(against samples: [ExposedSample], of name: String) -> String? {
        let buckets = samples.filter { $0.name == "\(name)_bucket" }
        let bounds = buckets.compactMap { $0.labels["le"].map { $0 == "+Inf" ? .infinity : Double($0) ?? .nan } }
        guard bounds.count == buckets.count, bounds.last == .infinity else { return "buckets without an end" }
        guard zip(bounds, bounds.dropFirst()).allSatisfy(<) else { return "bounds out of order" }
        let counts = buckets.map(\.value)
        guard zip(counts, counts.dropFirst()).allSatisfy(<=) else { return "buckets that do not add up" }
        let count = samples.filter { $0.name == "\(name)_count" }.map(\.value)
        guard count == [counts.last] else { return "a count that is not the last bucket's" }
        return samples.contains { $0.name == "\(name)_sum" } ? nil : "no sum"
    }
}
