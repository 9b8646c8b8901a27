internal import CoreMetrics
internal import struct Synchronization.Atomic

/// A series that counts whole things.
final class CounterInstrument: Instrument, CounterHandler {
    private let stripes = InlineArray<8, Apart<Atomic<Int>>> { _ in Apart(Atomic(0)) }

    /// A counter never goes back; what is not an increase is passed over.
    func increment(by amount: Int64) {
        guard amount > 0 else { return }
        stripes[ThreadStripe.own].content.wrappingAdd(Int(amount), ordering: .relaxed)
    }

    /// Does nothing: whoever reads counters takes a decrease for a restart of the process.
    func reset() {}

    var value: MetricValue {
        var total = 0
        for index in stripes.indices { total += stripes[index].content.load(ordering: .relaxed) }
        return .count(total)
    }
}
