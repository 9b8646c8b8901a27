package import Concurrency
package import CoreMetrics
internal import FileSystem
internal import FoundationEssentials
package import Health
package import Logging
package import Products

/// Keeps products in a directory of JSON files, one per generation, readable with `jq`.
///
/// A file is written whole under another name, forced to disk and then renamed, so the directory always contains whole
/// generations only. Each has checksums, and its products are checked after they are first served. A damaged file is
/// moved aside as `*.corrupt`, and the next older generation is used. Files of a newer version of the service are
/// neither used, changed nor removed, and saves continue above their numbers. Numbers only increase.
///
/// Many stores, in one process or several, may use one directory. The last loaded snapshot stays in memory, and files
/// are read again only if the newest has changed. A disk that hangs blocks only the store's own threads. A load that
/// takes too long is abandoned, and the snapshot in memory is served.
///
/// The pinned generation keeps its age, and counts as checked at the time of the request, since the operator vouches
/// for it.
package final class JSONFileProductsStore: ProductsStore, ProductsHistory, NoteKeeping, TroubleReporting {
    private let name: String
    private let directory: GenerationDirectory
    private let cache: GenerationCache
    private let reader: GenerationReader
    private let pins: PinCache
    private let standing: StoreTroubles
    private let generations: GenerationHistory
    private let counter: GenerationCounter
    private let deferred: DeferredSaver
    private let timeout: Duration
    private let clock: any Clock<Duration>
    private let wallClock: WallClock
    private let loads: BlockingQueue
    private let readings = BlockingQueue("larder store history")
    private let notes: StoreNotes
    private let dates: SnapshotDates
    private let datesOfPinned: SnapshotDates
    private let changed = ChangeSignal()
    private let write: @Sendable (ProductsSnapshot) async throws -> Void

    /// The time limit of a load while there is nothing in memory.
    private static let longestTimeout = Duration.seconds(5)
    /// The time limit of the first look-up of the pin, which delays responses that do not need the store.
    private static let firstTimeout = Duration.seconds(1)
    /// The time that closing waits for the running save and the next one.
    package static let closingTime = Duration.seconds(2)
    /// The time that closing waits for the last call to the disk.
    private static let lastTimeout = Duration.milliseconds(200)

    /// Makes a store; its directory is made at the first save.
    /// - Parameters:
    ///   - retention: the generations to keep.
    ///   - movesDamaged: whether loads move damaged generations aside.
    ///   - metricLabel: the store's label in the count of failures, which `metrics` records.
    ///   - timeout: the time limit of a load while there is a snapshot in memory.
    ///   - wallClock: dates generations for retention, and pinned ones for requests.
    ///   - disk: writes files.
    ///   - unwrittenPin: keeps an order about the directory's pin that cannot be written.
    package init(
        name: String = "json_file", directory: String, retention: Retention = Retention(), movesDamaged: Bool = true,
        logger: Logger, metricLabel: String = "", metrics: (any MetricsFactory)? = nil,
        timeout: Duration = .milliseconds(50), clock: any Clock<Duration> = ContinuousClock(),
        wallClock: WallClock = .system, disk: StoreDisk = .system, unwrittenPin: UnwrittenPin? = nil
    ) {
        var logger = logger
        logger[metadataKey: "store"] = "\(name)"
        let unwrittenPin = unwrittenPin ?? UnwrittenPin(directory: directory)
        let directory = GenerationDirectory(
            path: directory, limit: GenerationDirectory.limit(within: retention.maxBytes), disk: disk)
        self.name = name
        self.directory = directory
        notes = StoreNotes(directory: directory)
        self.timeout = timeout
        self.clock = clock
        self.wallClock = wallClock
        let failures = StoreFailureMeter(store: metricLabel, factory: metrics)
        let troubles = StoreTroubles(logger, wallClock: wallClock)
        let loads = BlockingQueue("larder store loads")
        let reader = GenerationReader(
            directory: directory, logger: logger, failures: failures, troubles: troubles, movesDamaged: movesDamaged,
            queue: loads, clock: clock)
        let cache = GenerationCache(directory: directory, reader: reader, failures: failures, troubles: troubles)
        let pins = PinCache(
            directory: directory, cache: cache, reader: reader, unwritten: unwrittenPin, logger: logger,
            failures: failures, troubles: troubles, movesDamaged: movesDamaged)
        let writer = GenerationWriter(
            directory: directory, retention: retention, wallClock: wallClock, logger: logger, troubles: troubles,
            pin: { pins.reading }, seen: { cache.identity })
        reader.withdraw { [weak cache, weak pins, changed] catalogue in
            cache?.drop(catalogue)
            pins?.drop(catalogue)
            changed.send()
        }
        (dates, datesOfPinned) = (SnapshotDates(wallClock), SnapshotDates(wallClock))
        let saves = BlockingQueue("larder store saves", inBackground: true)
        let save: @Sendable (ProductsSnapshot) async throws -> Void = { [dates] snapshot in
            dates.saving(snapshot)
            try await saves.run { () throws(ProductsFailure) in
                do {
                    let generation = try writer.write(snapshot)
                    cache.adopt(GenerationFile.reread(snapshot), as: generation)
                } catch {
                    dates.failed(snapshot)
                    failures.record(StoreFailureReason(saving: error))
                    throw .storeFailed(detail: "\(error)")
                }
            }
        }
        (self.cache, self.reader, self.pins, self.loads, standing, write) = (cache, reader, pins, loads, troubles, save)
        generations = GenerationHistory(directory: directory, reader: reader)
        deferred = DeferredSaver(
            clock: clock, logger: logger, troubles: troubles, onSlow: { failures.record(.slow) }, save: save)
        counter = GenerationCounter { () throws(FileSystemError) in try directory.list().generations.count }
    }

    /// Serves the newest good generation, whatever is pinned, or the snapshot that is being saved.
    /// - Throws: `ProductsFailure.notStored` if there is none, and `storeFailed` if the directory or all its files
    ///   cannot be read in time.
    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        if let unsaved = deferred.unsaved.map(GenerationFile.reread) { return newest(unsaved) }
        let kept = cache.kept
        let left = request.deadline.map { ContinuousClock.now.duration(to: $0) } ?? Self.longestTimeout
        let limit = kept == nil ? min(left, Self.longestTimeout) : timeout
        let found = await loads.run(within: limit, waitsBehindAbandoned: kept == nil, clock: clock) { [cache] in
            Result { () throws(ProductsFailure) in try cache.current() }
        }
        guard let snapshot = try found?.get() ?? kept else { throw silence }
        return newest(snapshot)
    }

    private func newest(_ snapshot: ProductsSnapshot) -> ProductsAnswer {
        ProductsAnswer(snapshot: dates.credible(snapshot), trail: [TrailStep(node: name, outcome: .hit)])
    }

    package var changes: AsyncStream<Void> { changed.changes }

    package func hasNewer(than mark: CatalogueMark) -> Bool { false }

    /// Waits longer while the snapshot of a pin is loaded, since nothing else may be served instead.
    package func pinned() async -> ProductsAnswer? {
        let lookUp: @Sendable () -> PinCache.State = { [pins] in pins.current() }
        let limit = pins.kept.isKnown ? timeout : Self.firstTimeout
        var seen = await loads.run(within: limit, clock: clock, lookUp)
        if seen == nil, pins.kept.isLoading {
            seen = await loads.run(within: Self.longestTimeout, waitsBehindAbandoned: true, clock: clock, lookUp)
        }
        return (seen ?? pins.kept).snapshot.map(pinned)
    }

    private func pinned(_ snapshot: ProductsSnapshot) -> ProductsAnswer {
        ProductsAnswer(
            snapshot: datesOfPinned.credible(snapshot).checked(at: wallClock.now()).from(.store),
            trail: [TrailStep(node: name, outcome: .pinned)])
    }

    /// Writes a generation, which survives a power cut when this returns. If it throws, the older ones are unchanged.
    /// - Throws: `ProductsFailure.storeFailed`, with the file and the system's reason.
    package func save(_ snapshot: ProductsSnapshot) async throws { try await write(snapshot) }

    package func saveLater(_ snapshot: ProductsSnapshot) { deferred.submit(snapshot) }

    /// Accepts no more deferred saves, and returns when the earlier ones are done or have failed, or after `limit`.
    package func close(within limit: Duration = closingTime) async {
        await deferred.close(within: limit)
        _ = await loads.run(within: min(limit, Self.lastTimeout), clock: clock) { [reader] in reader.close() }
    }

    package var troubles: [Trouble] { standing.troubles }

    /// The time of the running save so far; zero if there is none.
    package var savingTime: Duration { deferred.runningTime }

    /// Counts generations, good or not; none without a directory.
    package func generationCount() async -> Int? { await counter.count() }

    package func history() async throws(ProductsFailure) -> [HistoryEntry] {
        try await work(on: readings) { [generations] () throws(ProductsFailure) in try generations.entries() }
    }

    package func snapshot(of target: HistoryTarget) async throws(ProductsFailure) -> ProductsSnapshot {
        try await work(on: readings) { [generations, cache] () throws(ProductsFailure) in
            try generations.snapshot(of: target, known: cache.kept?.catalogue).snapshot
        }
    }

    package func currentPin() async throws(ProductsFailure) -> CataloguePin? {
        let limit = pins.kept.isKnown ? timeout : Self.longestTimeout
        let seen = await loads.run(within: limit, clock: clock) { [pins] in pins.current() } ?? pins.kept
        guard seen.isKnown else { throw silence }
        if seen.pin == nil, let trouble = seen.trouble { throw .storeFailed(detail: trouble) }
        return seen.pin
    }

    @discardableResult package func pin(
        _ target: HistoryTarget, by order: OperatorOrder
    ) async throws(ProductsFailure) -> CataloguePin {
        try await work(on: loads) { [generations, cache, pins] () throws(ProductsFailure) in
            let (pin, snapshot, unwritten) = try generations.pin(target, by: order, known: cache.kept?.catalogue)
            pins.adopt((pin, snapshot), unwritten: unwritten, at: order.at)
            return pin
        }
    }

    @discardableResult package func unpin() async throws(ProductsFailure) -> CataloguePin? {
        try await work(on: loads) { [generations, pins, wallClock] () throws(ProductsFailure) -> CataloguePin? in
            let unwritten = pins.kept.pin.flatMap { $0.isWritten ? nil : $0 }
            let (pin, failure) = try generations.unpin()
            pins.adopt(nil, unwritten: failure, at: wallClock.now())
            return unwritten ?? pin
        }
    }

    package func note(_ name: String, limit: Int) async throws -> [UInt8] { try await notes.read(name, limit: limit) }
    package func keep(_ note: [UInt8], as name: String) async throws { try await notes.write(note, name) }

    /// Runs the body after the submitted saves, and returns its result if it is in time. Does not read behind a save
    /// that hangs, so that probes do not pile up.
    private func work<Value: Sendable>(
        on queue: BlockingQueue, _ body: @escaping @Sendable () throws(ProductsFailure) -> Value
    ) async throws(ProductsFailure) -> Value {
        let isHanging = queue === readings && deferred.runningTime >= Self.closingTime
        if deferred.unsaved != nil, !isHanging {
            _ = await firstOutcome(within: Self.closingTime, clock: clock) { [deferred] in await deferred.drain() }
        }
        let result = await queue.run(within: Self.longestTimeout, waitsBehindAbandoned: true, clock: clock) {
            Result { () throws(ProductsFailure) in try body() }
        }
        guard let result else { throw silence }
        return try result.get()
    }

    private var silence: ProductsFailure {
        .storeFailed(detail: "\(directory.path) does not answer", answered: false)
    }
}
