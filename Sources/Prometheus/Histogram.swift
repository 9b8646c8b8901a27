/// The bounds of a histogram's buckets; every histogram has the same number of them.
package struct HistogramBuckets: Sendable {
    /// The bounds and infinity.
    package static let count = 14

    /// Seconds, from answers out of memory to waits for an upstream.
    package static let answers = HistogramBuckets([
        0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5,
    ])
    /// Seconds, for exchanges over a network and for unknown histograms.
    static let exchanges = HistogramBuckets([
        0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ])

    private let bounds: InlineArray<13, Double>

    private init(_ bounds: InlineArray<13, Double>) {
        self.bounds = bounds
    }

    /// The bounds, from the least to the greatest.
    var all: [Double] { bounds.indices.map { bounds[$0] } }

    /// The bucket that a value belongs to: the first whose bound is not below it.
    func index(of value: Double) -> Int {
        for index in bounds.indices where value <= bounds[index] { return index }
        return bounds.count
    }
}

/// The values of a histogram at one moment.
package struct HistogramReading: Sendable {
    /// The upper bounds, each belonging to its bucket; infinity is not among them.
    let bounds: [Double]
    /// The number of values in each bucket, not cumulative; the one beyond all bounds is last.
    let counts: [Int]
    let sum: Double
}
