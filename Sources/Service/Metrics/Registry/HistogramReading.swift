/// What a histogram holds at one moment.
struct HistogramReading: Sendable {
    /// The upper bounds, each belonging to its bucket; infinity is not among them.
    let bounds: [Double]
    /// How many values each bucket got, the one beyond all bounds last; they are not added up.
    let counts: [Int]
    let sum: Double
}
