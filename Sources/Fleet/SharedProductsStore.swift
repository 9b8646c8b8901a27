package import Concurrency
package import CoreMetrics
internal import FoundationEssentials
package import Health
package import Logging
package import Persistence
package import Products

/// Keeps the catalogue of a fleet in a shared storage: Redis or Valkey.
///
/// It outlasts reloads that change the fingerprint: each fingerprint has its own ``FleetCatalogue``, and operators'
/// orders apply to the last to run. The background job of a `caching` keeps the connection, so a store without a
/// `caching` has none.
package final class SharedProductsStore: ProductsStore, ProductsHistory, FleetReporting, TroubleReporting {
    private struct State {
        var catalogues: [String: FleetCatalogue] = [:]
        /// The latest fingerprint.
        var last: String?
        /// Counts the catalogues, so that each has random numbers of its own.
        var made: UInt64 = 0
    }

    private let name: String
    private let settings: FleetMember.Settings
    private let state = Mutex(State())
    private let wallClock: WallClock
    private let clock: any Clock<Duration>
    private let changed = ChangeSignal()
    private let make: @Sendable (String, FleetCatalogue.Inherited?, UInt64) -> FleetCatalogue

    /// - Parameters:
    ///   - refill: has the catalogue from before the start.
    ///   - metricLabel: the store's label in metrics.
    ///   - storage: makes the storage of a fingerprint, anew for each connection's life.
    package init(
        name: String = "redis", settings: FleetMember.Settings, refill: (any ProductsStore)? = nil, logger: Logger,
        metricLabel: String = "", metrics: (any MetricsFactory)? = nil,
        clock: any Clock<Duration> = ContinuousClock(), wallClock: WallClock = .system,
        storage: @escaping @Sendable (_ fingerprint: String) -> any FleetStorage
    ) {
        var logger = logger
        logger[metadataKey: "store"] = "\(name)"
        (self.name, self.settings, self.wallClock, self.clock) = (name, settings, wallClock, clock)
        let memory = FleetMemory(disk: refill as? any NoteKeeping, wallClock: wallClock, logger: logger)
        make = { [logger, changed] fingerprint, inherited, number in
            var settings = settings
            settings.seed &+= number &* 0x9E37_79B9_7F4A_7C15
            return FleetCatalogue(
                fingerprint: fingerprint, storage: { storage(fingerprint) }, settings: settings, refill: refill,
                memory: memory, inherited: inherited, logger: logger, metricLabel: metricLabel, metrics: metrics,
                clock: clock, wallClock: wallClock, changed: changed)
        }
    }

    /// The fleet's catalogue for a configuration. Equal fingerprints share one until it stops: then it may be old.
    package func catalogue(fingerprint: String) -> FleetCatalogue {
        state.withLock { state in
            // Catalogues of former configurations go once their graphs have closed.
            state.catalogues = state.catalogues.filter { name, catalogue in
                name == fingerprint ? !catalogue.hasStopped : catalogue.isRunning
            }
            let before = state.last
            state.last = fingerprint
            if let catalogue = state.catalogues[fingerprint] { return catalogue }
            let former = before.flatMap { state.catalogues[$0] } ?? state.catalogues.values.first
            let catalogue = make(fingerprint, former?.inheritable, state.made)
            state.made += 1
            state.catalogues[fingerprint] = catalogue
            return catalogue
        }
    }

    /// The catalogue on which operators act: the latest that runs.
    private var catalogue: FleetCatalogue? {
        state.withLock { state in
            let last = state.last.flatMap { state.catalogues[$0] }
            if last?.isRunning == true {
                state.catalogues = state.catalogues.filter { $0.value.isRunning }
                return last
            }
            return state.catalogues.values.first { $0.isRunning } ?? last
        }
    }

    package var report: FleetReport {
        guard let report = catalogue?.report else {
            var report = FleetReport()
            report.name = settings.name
            return report
        }
        return report
    }

    package var troubles: [Trouble] { report.troubles }

    package func replicas() async -> [FleetReport.Replica] { await catalogue?.replicas() ?? [] }

    /// Lets a revision through the gates of all replicas once, in place of the catalogue that is current.
    /// - Throws: `ProductsFailure.storeFailed` while the storage is away.
    package func accept(revision: String) async throws(ProductsFailure) {
        guard let catalogue else { throw FleetCatalogue.away }
        try await catalogue.accept(revision)
    }

    // MARK: - ProductsStore

    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        guard let served = catalogue?.given else { throw ProductsFailure.notStored }
        return ProductsAnswer(snapshot: served.snapshot, trail: [TrailStep(node: name, outcome: .hit)])
    }

    package var changes: AsyncStream<Void> { changed.changes }

    package func pinned() async -> ProductsAnswer? { catalogue?.pinned(by: name) }

    package func hasNewer(than mark: CatalogueMark) -> Bool { catalogue?.hasNewer(than: mark) ?? false }

    package func save(_ snapshot: ProductsSnapshot) async throws { saveLater(snapshot) }

    /// Offers the snapshot to a storage that is empty.
    package func saveLater(_ snapshot: ProductsSnapshot) { catalogue?.offer(snapshot) }

    /// Unknown: a scrape does not ask the storage, which may hang.
    package func generationCount() async -> Int? { nil }

    package var savingTime: Duration { .zero }

    // MARK: - ProductsHistory

    package func history() async throws(ProductsFailure) -> [HistoryEntry] {
        let current = report.pointer
        return try await pointers().map { entry in
            // The current one has been confirmed since it was written.
            let pointer = current.flatMap { $0.generation == entry.generation ? $0 : nil } ?? entry
            return HistoryEntry(
                generation: pointer.generation, revision: pointer.revision,
                fetchedAt: Date(milliseconds: pointer.startedAt - (pointer.source?.age ?? 0)), origin: .network,
                count: pointer.count, size: pointer.bytes)
        }
    }

    package func snapshot(of target: HistoryTarget) async throws(ProductsFailure) -> ProductsSnapshot {
        let pointer = try await pointer(of: target)
        let command = StorageCommand.readBlob(sha256: pointer.sha256, bytes: pointer.bytes)
        let limit = settings.blobLimit
        let reply = try await withStorage { await $0.perform(command, blob: nil, within: limit) }
        guard case .blob(let bytes?) = reply, let catalogue else { throw .notStored }
        do {
            return try await catalogue.decode(bytes, as: pointer, known: nil)
        } catch {
            throw .storeFailed(detail: "generation \(pointer.generation) is damaged: \(error)")
        }
    }

    package func currentPin() async throws(ProductsFailure) -> CataloguePin? { catalogue?.report.pin }

    @discardableResult package func pin(
        _ target: HistoryTarget, by order: OperatorOrder
    ) async throws(ProductsFailure) -> CataloguePin {
        let pointer = try await pointer(of: target)
        guard let catalogue else { throw FleetCatalogue.away }
        let isWritten = try await catalogue.obey(pointer, order)
        return CataloguePin(
            generation: pointer.generation, revision: pointer.revision, order: order, isWritten: isWritten)
    }

    @discardableResult package func unpin() async throws(ProductsFailure) -> CataloguePin? {
        guard let catalogue, let before = catalogue.report.pin else { return nil }
        try await catalogue.obey(nil, OperatorOrder(at: wallClock.now(), by: settings.name, reason: nil))
        return before
    }

    private func pointer(of target: HistoryTarget) async throws(ProductsFailure) -> CataloguePointer {
        let found = try await pointers().first { pointer in
            switch target {
            case .newest: true
            case .generation(let number): pointer.generation == number
            case .revision(let prefix): pointer.revision.hasPrefix(prefix)
            }
        }
        guard let found else { throw .notStored }
        return found
    }

    /// The catalogues in the storage; while that is away, those in this replica's record.
    private func pointers() async throws(ProductsFailure) -> [CataloguePointer] {
        let limit = settings.commandLimit
        if let catalogue, catalogue.isRunning, !catalogue.state.withLock(\.member.isLinked) {
            let seen = catalogue.memory.known(catalogue.fingerprint).own.entries.compactMap(\.pointer)
            if !seen.isEmpty { return seen }
        }
        return try await withStorage { await $0.history(within: limit) }
    }

    private func withStorage<Value: Sendable>(
        _ body: (any FleetStorage) async -> Result<Value, StorageFault>
    ) async throws(ProductsFailure) -> Value {
        guard let catalogue else { throw FleetCatalogue.away }
        return try await catalogue.withStorage(body)
    }
}
