internal import Concurrency
internal import CoreMetrics
internal import struct Synchronization.Atomic

/// A counter of whole numbers.
final class CounterInstrument: Instrument, CounterHandler {
    private let stripes = InlineArray<8, CacheLinePadded<Atomic<Int>>> { _ in CacheLinePadded(Atomic(0)) }

    /// Ignores amounts that are not an increase.
    func increment(by amount: Int64) {
        guard amount > 0 else { return }
        stripes[ThreadStripe.own].content.wrappingAdd(Int(amount), ordering: .relaxed)
    }

    /// Does nothing: Prometheus takes a decrease for a restart of the process.
    func reset() {}

    var value: MetricValue {
        var total = 0
        for index in stripes.indices { total += stripes[index].content.load(ordering: .relaxed) }
        return .count(total)
    }
}

/// A gauge.
final class GaugeInstrument: Instrument, MeterHandler, RecorderHandler {
    private let level = AtomicSum()

    func set(_ value: Int64) { level.value = Double(value) }

    func set(_ value: Double) { level.value = value }

    func increment(by amount: Double) { level.add(amount) }

    func decrement(by amount: Double) { level.add(-amount) }

    func record(_ value: Int64) { set(value) }

    func record(_ value: Double) { set(value) }

    var value: MetricValue { .number(level.value) }
}

/// A counter of fractions.
final class SumInstrument: Instrument, FloatingPointCounterHandler {
    private let sum = AtomicSum()

    /// Ignores amounts that are not an increase.
    func increment(by amount: Double) {
        guard amount > 0, amount.isFinite else { return }
        sum.add(amount)
    }

    /// Does nothing: Prometheus takes a decrease for a restart of the process.
    func reset() {}

    var value: MetricValue { .number(sum.value) }
}

/// A histogram. Times are in seconds.
final class HistogramInstrument: Instrument, TimerHandler, RecorderHandler {
    private struct Stripe: ~Copyable, Sendable {
        /// One more than the bounds.
        let counts = InlineArray<14, Atomic<Int>> { _ in Atomic(0) }
        let sum = AtomicSum()
    }

    private let buckets: HistogramBuckets
    private let stripes = InlineArray<8, CacheLinePadded<Stripe>> { _ in CacheLinePadded(Stripe()) }

    init(_ buckets: HistogramBuckets) {
        self.buckets = buckets
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) * 1e-9) }

    func record(_ value: Int64) { record(Double(value)) }

    /// Ignores NaN and infinity, which would spoil the sum.
    func record(_ value: Double) {
        guard value.isFinite else { return }
        let own = ThreadStripe.own
        stripes[own].content.counts[buckets.index(of: value)].wrappingAdd(1, ordering: .relaxed)
        stripes[own].content.sum.add(value)
    }

    func preferDisplayUnit(_ unit: TimeUnit) {}

    var value: MetricValue {
        var counts = [Int](repeating: 0, count: HistogramBuckets.count)
        var sum = 0.0
        for stripe in stripes.indices {
            for index in counts.indices {
                counts[index] += stripes[stripe].content.counts[index].load(ordering: .relaxed)
            }
            sum += stripes[stripe].content.sum.value
        }
        return .histogram(HistogramReading(bounds: buckets.all, counts: counts, sum: sum))
    }
}

/// The bounds of a histogram's buckets; every histogram has the same number of them.
package struct HistogramBuckets: Sendable {
    /// The bounds and infinity.
    package static let count = 14

    /// Seconds, from responses out of memory to waits for an upstream.
    package static let responses = HistogramBuckets([
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

    /// The bucket of a value: the first whose bound is not below it.
    func index(of value: Double) -> Int {
        for index in bounds.indices where value <= bounds[index] { return index }
        return bounds.count
    }
}

/// The values of a histogram at one moment.
package struct HistogramReading: Sendable {
    /// The upper bounds of the buckets, without infinity.
    package let bounds: [Double]
    /// The number of values in each bucket, not cumulative; the one beyond all bounds is last.
    package let counts: [Int]
    package let sum: Double
}
