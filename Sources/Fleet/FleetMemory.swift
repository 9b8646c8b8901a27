internal import Concurrency
internal import Health
internal import JSON
internal import Logging
internal import Persistence
internal import Products

/// Keeps the records of a shared store's fleets, one for each configuration, in a file beside the generations on disk.
///
/// A change is in force at once and written in the background, one file at a time. A file that cannot be read, or that
/// a newer version of the service has written, is not overwritten. Reading and writing are tried again at the next
/// change and at the next ``retry()``; until they succeed they are a trouble.
final class FleetMemory: TroubleReporting {
    static let fileName = "fleet.json"
    static let pinnedName = "fleet-pin.gz"
    private static let format = 1
    private static let most = 4
    private static let longest = 1 << 20
    private static let lines = TroubleBook.Lines(
        begin: "the record of the fleet cannot be kept, a restart would forget it",
        end: "the record of the fleet is kept again")

    private struct State {
        /// The latest fleet first.
        var fleets: [(fingerprint: String, record: FleetRecord)] = []
        var isLoaded = false
        var isChanged = false
        var isWriting = false
        /// The versions of the pins that are on the disk, by fingerprint.
        var written: [String: Int] = [:]
        /// The SHA-256 of the blob that is on the disk, as far as that is known.
        var pinnedBlob: String?
        /// Resumed when a write has ended.
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let disk: (any NoteKeeping)?
    private let book: TroubleBook
    private let state = Mutex(State())

    /// - Parameter disk: nil keeps nothing over a restart.
    init(disk: (any NoteKeeping)?, wallClock: WallClock = .system, logger: Logger? = nil) {
        self.disk = disk
        book = TroubleBook(wallClock: wallClock, logger: logger)
    }

    /// Whether anything outlasts the process.
    var isKept: Bool { disk != nil }

    var troubles: [Trouble] { book.troubles }

    /// The known record of a fleet, and the records of all other fleets.
    func known(_ fingerprint: String) -> (own: FleetRecord, others: [FleetRecord]) {
        state.withLock { state in
            let others = state.fleets.filter { $0.fingerprint != fingerprint }.map(\.record)
            return (state.fleets.first { $0.fingerprint == fingerprint }?.record ?? FleetRecord(), others)
        }
    }

    /// Whether a pin of this version, or a later one, is on the disk.
    func hasWritten(_ version: Int, _ fingerprint: String) -> Bool {
        state.withLock { $0.written[fingerprint, default: 0] >= version }
    }

    /// Reads the file, unless that has been done.
    func load() async {
        guard let disk, !state.withLock(\.isLoaded) else { return }
        let fleets: [(String, FleetRecord)]
        do {
            fleets = try Self.fleets(try await disk.note(Self.fileName, limit: Self.longest))
        } catch {
            book.record(.store, "\(Self.fileName): \(error)", lines: Self.lines)
            return
        }
        book.record(.store, nil, lines: Self.lines)
        state.withLock { state in
            guard !state.isLoaded else { return }
            state.isLoaded = true
            for (fingerprint, record) in fleets {
                if let pin = record.pin { state.written[fingerprint] = pin.version }
                if let index = state.fleets.firstIndex(where: { $0.fingerprint == fingerprint }) {
                    state.fleets[index].record.merge(record)
                } else {
                    state.fleets.append((fingerprint, record))
                }
            }
        }
    }

    /// Changes the record of a fleet, which becomes the latest.
    func change(_ fingerprint: String, _ change: (inout FleetRecord) -> Void) {
        let isNew = state.withLock { state in
            let index = state.fleets.firstIndex { $0.fingerprint == fingerprint }
            let before = index.map { state.fleets[$0].record } ?? FleetRecord()
            var record = before
            change(&record)
            guard record != before else { return false }
            if let index { state.fleets.remove(at: index) }
            state.fleets.insert((fingerprint, record), at: 0)
            state.isChanged = true
            return true
        }
        if isNew { retry() }
    }

    /// Writes pending changes, also after a failed write.
    func retry() {
        let mustWrite = state.withLock { state in
            guard disk != nil, state.isChanged, !state.isWriting else { return false }
            state.isWriting = true
            return true
        }
        if mustWrite { Task.detached { [self] in await write() } }
    }

    /// Returns when the write that is under way has ended, well or not.
    func settle() async {
        await withCheckedContinuation { continuation in
            let isWriting = state.withLock { state in
                if state.isWriting { state.waiters.append(continuation) }
                return state.isWriting
            }
            if !isWriting { continuation.resume() }
        }
    }

    private func write() async {
        var isGood = true
        while mustWrite(again: isGood) {
            await load()
            let all = state.withLock { $0.isLoaded ? Array($0.fleets.prefix(Self.most)) : nil }
            guard let all else {
                isGood = false
                continue
            }
            do {
                try await disk?.keep(Self.json(of: all).encoded(), as: Self.fileName)
                state.withLock { state in
                    for (fingerprint, record) in all { state.written[fingerprint] = record.pin?.version }
                }
                book.record(.store, nil, lines: Self.lines)
            } catch {
                book.record(.store, "\(Self.fileName): \(error)", lines: Self.lines)
                isGood = false
            }
        }
    }

    /// - Parameter isGood: whether the last write of the loop succeeded. Otherwise the change stays, and the loop ends.
    private func mustWrite(again isGood: Bool) -> Bool {
        let waiters = state.withLock { state in
            (state.isWriting, state.isChanged) = isGood ? (state.isChanged, false) : (false, true)
            defer { if !state.isWriting { state.waiters = [] } }
            return state.isWriting ? nil : state.waiters
        }
        for waiter in waiters ?? [] { waiter.resume() }
        return waiters == nil
    }

    /// Whether the disk is known to have this blob.
    func holds(pinnedBlob sha256: String) -> Bool { state.withLock { $0.pinnedBlob == sha256 } }

    /// The blob of the pinned catalogue, as far as it was kept.
    func pinnedBlob(limit: Int) async -> [UInt8]? { try? await disk?.note(Self.pinnedName, limit: limit) }

    /// Records the hash of the blob on the disk.
    func found(pinnedBlob sha256: String) { state.withLock { $0.pinnedBlob = sha256 } }

    /// Writes the blob of the pinned catalogue.
    /// - Parameter sha256: the hash of the bytes; the caller has checked it.
    func keep(pinnedBlob bytes: [UInt8], _ sha256: String) async {
        guard let disk else { return }
        do {
            try await disk.keep(bytes, as: Self.pinnedName)
            found(pinnedBlob: sha256)
            book.record(.store, nil, named: Self.pinnedName, lines: Self.lines)
        } catch {
            book.record(.store, "\(Self.pinnedName): \(error)", named: Self.pinnedName, lines: Self.lines)
        }
    }
}

extension FleetMemory {
    /// The file is of a format that is not known here, and so not ours to change.
    private struct NewerFormat: Error, CustomStringConvertible {
        let format: Int
        var description: String { "written in format \(format), newer than \(FleetMemory.format), the newest known" }
    }

    private static func json(of fleets: [(fingerprint: String, record: FleetRecord)]) -> JSONValue {
        .object([
            "format": .count(format),
            "fleets": .array(
                fleets.map { fingerprint, record in
                    var json = record.json
                    json["fingerprint"] = .string(fingerprint)
                    return .object(json)
                }),
        ])
    }

    private static func fleets(_ bytes: [UInt8]) throws -> [(String, FleetRecord)] {
        guard let json = try? JSONParser(depthLimit: 8).parse(bytes).object,
            let found = UntrustedStorage.whole(json["format"])
        else { return [] }
        guard found <= format else { throw NewerFormat(format: found) }
        return (json["fleets"]?.array ?? []).prefix(most).compactMap { value in
            guard let members = value.object, let fingerprint = members["fingerprint"]?.string else { return nil }
            return (fingerprint, FleetRecord(members))
        }
    }
}
