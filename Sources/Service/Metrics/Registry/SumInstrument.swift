internal import CoreMetrics

/// A series that counts what comes in parts.
final class SumInstrument: Instrument, FloatingPointCounterHandler {
    private let sum = AtomicSum()

    /// A counter never goes back; what is not an increase is passed over.
    func increment(by amount: Double) {
        guard amount > 0, amount.isFinite else { return }
        sum.add(amount)
    }

    /// Does nothing: whoever reads counters takes a decrease for a restart of the process.
    func reset() {}

    var value: MetricValue { .number(sum.value) }
}
