/// The bounds of the buckets of a histogram, which are as many for all.
package struct HistogramBuckets: Sendable {
    /// The bounds and infinity.
    package static let count = 14

    /// For what is answered from memory, within microseconds, and for what is waited for. In seconds.
    package static let answers = HistogramBuckets([
        0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5,
    ])
    /// For exchanges over a network, and for whatever nothing is known about. In seconds.
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

/// The state of a histogram at one moment.
package struct HistogramReading: Sendable {
    /// The upper bounds, each belonging to its bucket; infinity is not among them.
    let bounds: [Double]
    /// How many values each bucket got, the one beyond all bounds last; they are not added up.
    let counts: [Int]
    let sum: Double
}
