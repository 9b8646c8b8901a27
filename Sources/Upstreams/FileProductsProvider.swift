internal import Compression
package import Concurrency
package import CoreMetrics
package import Decoding
internal import FileSystem
package import FoundationEssentials
package import Logging
package import Products

/// Reads a file, packed by gzip or not, again when it changes: the bundled last resort.
///
/// A snapshot is dated by the last check of the file, not by the file's modification time, because freshness counts
/// from the last check of the source.
package final class FileProductsProvider: ProductsProvider {
    /// The last file that was read.
    private struct Last: Sendable {
        var status: FileStatus
        var catalogue: Result<Catalogue, ProductsFailure>
        /// The time of the last check of the file.
        var time: Date
        /// The time in which the file gives these products; nil if it always does.
        var validity: Range<Date>?
    }

    /// The outcome of reading the file.
    private enum Reading: Sendable {
        case unchanged(Last)
        case changed(FileStatus, [UInt8])
    }

    /// The most bytes of a packed file when it is unpacked.
    private static let unpackedLimit = 1 << 30

    /// The time limit of the first read.
    private static let firstTimeout = Duration.seconds(5)

    private let name: String
    private let path: String
    private let decoder: any CatalogueDecoder
    private let wallClock: WallClock
    private let logger: Logger
    private let refusals: RefusalMeter
    private let timeout: Duration
    private let disk = BlockingQueue("larder file")
    private let decodings = BlockingQueue("larder file decoding", inBackground: true)
    private let last = Mutex<Last?>(nil)
    /// A new file that was read later than it was waited for, and when, until the next request.
    private let late = Mutex<(status: FileStatus, bytes: [UInt8], time: Date)?>(nil)

    /// Creates a provider for the file at `path`, which need not exist yet.
    ///
    /// - Parameters:
    ///   - logger: takes skipped items, once for each state of the file.
    ///   - timeout: the time limit of reads once a catalogue has been read.
    package init(
        name: String = "file", path: String, decoder: any CatalogueDecoder = NativeCatalogueDecoder(),
        wallClock: WallClock = .system, logger: Logger = Logger(label: "file") { _ in SwiftLogNoOpLogHandler() },
        metrics: (any MetricsFactory)? = nil, timeout: Duration = .milliseconds(50)
    ) {
        self.name = name
        self.path = path
        self.timeout = timeout
        self.decoder = decoder
        self.wallClock = wallClock
        self.logger = logger
        refusals = RefusalMeter(metrics)
    }

    /// Returns the catalogue in the file, or the last catalogue while the disk does not respond in time.
    ///
    /// The time limit holds for the disk alone, not for decoding and checking a new file. A late read is served to the
    /// next request, dated by the read, since a busy machine may never read a large file in time.
    ///
    /// - Throws: `ProductsFailure.storeFailed` if the file cannot be read, and the decoder's failure or a refusal if it
    ///   is no catalogue, even if another one was read before.
    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        let late = self.late.withLock { late in
            defer { late = nil }
            return late
        }
        if let late { return try await decoding(late.bytes, late.status, readAt: late.time) }
        let known = last.withLock { $0 }
        let seen: Result<Reading, FileSystemError>? = await disk.run(
            within: known == nil ? Self.firstTimeout : timeout, waitsBehindAbandoned: known == nil
        ) { [self] in
            Result { () throws(FileSystemError) in try read() }
        }
        guard let seen else {
            if let known { return try answer(known, .unchanged) }
            throw ProductsFailure.storeFailed(detail: "\(path) does not answer", answered: false)
        }
        switch seen {
        case .success(.unchanged(let last)):
            return try answer(last, .unchanged)
        case .success(.changed(let status, let bytes)):
            self.late.withLock { late in
                if late?.status == status { late = nil }
            }
            return try await decoding(bytes, status, readAt: wallClock.now())
        case .failure(let error):
            throw ProductsFailure.storeFailed(detail: "\(error)")
        }
    }

    private func read() throws(FileSystemError) -> Reading {
        let status = try Files.status(of: path)
        let now = wallClock.now()
        if let last = confirmed(status, at: now) { return .unchanged(last) }
        let bytes = try Files.read(path)
        // Taken back by a caller that still waits.
        late.withLock { $0 = (status, bytes, now) }
        return .changed(status, bytes)
    }

    private func decoding(
        _ bytes: [UInt8], _ status: FileStatus, readAt time: Date
    ) async throws -> ProductsAnswer {
        try await decodings.run { [self] () throws(any Error) -> ProductsAnswer in try decoded(bytes, status, time) }
    }

    /// Confirms the last catalogue and returns it, if the file is unchanged since.
    private func confirmed(_ status: FileStatus, at now: Date) -> Last? {
        last.withLock { last in
            guard last?.status == status, (try? last?.catalogue.get()) != nil,
                last?.validity?.contains(now) ?? true
            else { return nil }
            last?.time = now
            return last
        }
    }

    /// Decodes a new file. Concurrent calls run in sequence, and only the first one decodes.
    private func decoded(_ bytes: [UInt8], _ status: FileStatus, _ time: Date) throws -> ProductsAnswer {
        if let last = confirmed(status, at: time) { return try answer(last, .unchanged) }
        let new: Last
        do throws(ProductsFailure) {
            let decoded = try decoder.decode(Self.unpacked(bytes), knowing: nil)
            new = Last(
                status: status, catalogue: .success(try Catalogue(decoded)), time: time, validity: decoded.validity)
            let isFirst = last.withLock { (try? $0?.catalogue.get()) == nil }
            logger.report(decoded, isFirst: isFirst, by: name)
        } catch {
            refusals.record(error)
            new = Last(status: status, catalogue: .failure(error), time: time)
        }
        last.withLock { $0 = new }
        return try answer(new, .fetched)
    }

    /// Returns the bytes of a file as they were before gzip packed them.
    package static func unpacked(_ bytes: [UInt8]) throws(ProductsFailure) -> [UInt8] {
        guard GzipReader.isPacked(bytes) else { return bytes }
        do throws(GzipReader.Fault) {
            return try GzipReader(limit: unpackedLimit).unpack(bytes)
        } catch {
            throw .malformed(detail: "\(error)")
        }
    }

    private func answer(_ last: Last, _ outcome: TrailOutcome) throws(ProductsFailure) -> ProductsAnswer {
        let snapshot = ProductsSnapshot(catalogue: try last.catalogue.get(), fetchedAt: last.time, origin: .bundled)
        return ProductsAnswer(snapshot: snapshot, trail: [TrailStep(node: name, outcome: outcome)])
    }
}

extension FileProductsProvider: TimedProvider {
    package var isTimed: Bool { (decoder as? MappedCatalogueFormat)?.isTimed ?? false }
    package var validUntil: Date? {
        last.withLock { $0?.validity?.upperBound }.flatMap { $0 == .distantFuture ? nil : $0 }
    }
}
