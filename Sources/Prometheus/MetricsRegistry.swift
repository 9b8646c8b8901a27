internal import Concurrency
internal import CoreMetrics
package import Logging

/// Records and exposes the metrics of one runtime: a factory for swift-metrics, and the source of a scrape.
///
/// Finding a series takes a lock, and recording does not, so recorders keep their series. A series keeps its value, and
/// a recorder that looks it up again, as after a reload, continues it. Values that can be computed from existing state
/// are not recorded but collected, see `MetricsCollector`.
package final class MetricsRegistry: MetricsFactory {
    private struct State {
        var instruments: [MetricID: any Instrument] = [:]
        /// The kinds of the families, by name.
        var kinds: [String: MetricKind] = [:]
        /// All exposed names of families.
        var names: Set<String> = []
        var collectors: [any MetricsCollector] = []
        var isFull = false

        /// Reserves a name for a kind; false if it has another meaning.
        mutating func claim(_ family: String, as kind: MetricKind) -> Bool {
            if let known = kinds[family] { return known == kind }
            let own = kind.exposedNames(of: family)
            guard names.isDisjoint(with: own) else { return false }
            names.formUnion(own)
            kinds[family] = kind
            return true
        }
    }

    /// The limit of series, so that a library that makes a series of every request does not fill the memory.
    private static let mostSeries = 10_000

    private let state: Mutex<State>
    private let known: [String: MetricDescription]
    private let logger: Logger?

    /// - Parameters:
    ///   - known: the descriptions of recorded families, by their names.
    ///   - collectors: further sources of each scrape.
    ///   - logger: gets one warning when there are too many series.
    package init(
        known: [MetricDescription] = [], collectors: [any MetricsCollector] = [], logger: Logger? = nil
    ) {
        state = Mutex(State(collectors: collectors))
        self.known = Dictionary(uniqueKeysWithValues: known.map { ($0.name, $0) })
        self.logger = logger
    }

    /// Adds a source of each scrape.
    package func add(_ collector: some MetricsCollector) {
        state.withLock { $0.collectors.append(collector) }
    }

    /// All families at this moment, including those of these collectors, sorted by name. It may wait for a disk, so
    /// call it off the event loops.
    package func families(with others: [any MetricsCollector] = []) async -> [MetricFamily] {
        var collected: [MetricFamily] = []
        for collector in state.withLock(\.collectors) + others { collected += await collector.families() }
        let names = Set(collected.flatMap(\.description.exposedNames))
        let all = collected + recorded.filter { names.isDisjoint(with: $0.description.exposedNames) }
        return all.sorted { $0.description.name < $1.description.name }
    }

    private var recorded: [MetricFamily] {
        let (instruments, kinds) = state.withLock { ($0.instruments, $0.kinds) }
        return Dictionary(grouping: instruments, by: \.key.family).map { family, members in
            let series = members.map { MetricSeries(labels: $0.key.labels, value: $0.value.value) }
            return MetricFamily(
                description(of: family, kinds[family] ?? .gauge), series.sorted { $0.isBefore($1) })
        }
    }

    private func description(of family: String, _ kind: MetricKind) -> MetricDescription {
        if let known = known[family], known.kind == kind { return known }
        return MetricDescription(family, kind, "Recorded by a library that the service uses.")
    }

    /// The instrument of a series, made by the first call; nil if the name has another meaning, or there are too many
    /// series.
    private func instrument<Made: Instrument>(
        _ name: String, _ kind: MetricKind, _ dimensions: [(String, String)], _ make: (MetricID) -> Made
    ) -> Made? {
        let id = MetricID(name, kind, dimensions)
        let (made, isFirstTooMany): (Made?, Bool) = state.withLock { state in
            if let known = state.instruments[id] { return (known as? Made, false) }
            guard state.instruments.count < Self.mostSeries else {
                defer { state.isFull = true }
                return (nil, !state.isFull)
            }
            guard state.claim(id.family, as: kind) else { return (nil, false) }
            let made = make(id)
            state.instruments[id] = made
            return (made, false)
        }
        if isFirstTooMany { reportTooMany(id) }
        return made
    }

    private func reportTooMany(_ id: MetricID) {
        logger?.warning(
            "there are too many series of metrics, new ones are not recorded",
            metadata: ["limit": .stringConvertible(Self.mostSeries), "family": "\(id.family)"])
    }
}

extension MetricsRegistry {
    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        instrument(label, .counter, dimensions) { _ in CounterInstrument() } ?? NOOPMetricsHandler.instance
    }

    func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        instrument(label, .counter, dimensions) { _ in SumInstrument() } ?? NOOPMetricsHandler.instance
    }

    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        instrument(label, .gauge, dimensions) { _ in GaugeInstrument() } ?? NOOPMetricsHandler.instance
    }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        if aggregate { return histogram(label, dimensions) ?? NOOPMetricsHandler.instance }
        return instrument(label, .gauge, dimensions) { _ in GaugeInstrument() } ?? NOOPMetricsHandler.instance
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        histogram(label, dimensions) ?? NOOPMetricsHandler.instance
    }

    private func histogram(_ label: String, _ dimensions: [(String, String)]) -> HistogramInstrument? {
        instrument(label, .histogram, dimensions) { HistogramInstrument(known[$0.family]?.buckets ?? .exchanges) }
    }

    func destroyCounter(_ handler: any CounterHandler) { forget(handler) }

    func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { forget(handler) }

    func destroyMeter(_ handler: any MeterHandler) { forget(handler) }

    func destroyRecorder(_ handler: any RecorderHandler) { forget(handler) }

    func destroyTimer(_ handler: any TimerHandler) { forget(handler) }

    /// Stops exposing an instrument. Its name stays reserved for its kind.
    private func forget(_ handler: AnyObject) {
        state.withLock { state in
            state.instruments = state.instruments.filter { $0.value !== handler }
        }
    }
}

/// Holds the value of one series. Any thread may record, without a lock and without an allocation.
protocol Instrument: AnyObject, Sendable {
    /// The value for a scrape. Threads may record meanwhile, so its parts may be of different times.
    var value: MetricValue { get }
}

/// The identity of a series.
struct MetricID: Sendable, Hashable {
    let family: String
    /// Sorted by name, each name once, so that no two series are exposed with the same labels.
    let labels: [MetricLabel]

    /// - Parameter kind: determines the suffix of the recorder's name that is not part of the family's.
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

/// Computes families at a scrape from existing state, instead of updating gauges.
package protocol MetricsCollector: Sendable {
    /// The families at this moment. Scrapes may overlap; a collector may wait for a disk or a loop, but not for an
    /// upstream.
    func families() async -> [MetricFamily]
}
