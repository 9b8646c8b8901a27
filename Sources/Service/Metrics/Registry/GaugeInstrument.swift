internal import CoreMetrics

/// A series that is what it was set to last.
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
