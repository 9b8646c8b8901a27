internal import CoreMetrics
internal import struct Synchronization.Atomic

/// A series of values of which it is counted how large they are, and added up. Times are in seconds.
final class HistogramInstrument: Instrument, TimerHandler, RecorderHandler {
    private struct Stripe: ~Copyable, Sendable {
        /// One more than there are bounds.
        let counts = InlineArray<14, Atomic<Int>> { _ in Atomic(0) }
        let sum = AtomicSum()
    }

    private let buckets: HistogramBuckets
    private let stripes = InlineArray<8, Apart<Stripe>> { _ in Apart(Stripe()) }

    init(_ buckets: HistogramBuckets) {
        self.buckets = buckets
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) * 1e-9) }

    func record(_ value: Int64) { record(Double(value)) }

    /// What is no number is passed over: it would make the sum of all others none.
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
