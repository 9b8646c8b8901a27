internal import Concurrency
internal import FileSystem
internal import Synchronization

/// Keeps events on disk, as lines of JSON in files of limited size, so that they outlast the process.
///
/// A file is claimed by whoever writes it or delivers from it, so any number of sinks and processes may share the
/// directory, one that is being replaced by a reload and the new one for instance. What was delivered is taken away
/// from the end of its file at once, and what was not is never out of it: a crash in between has events sent twice.
final class SpooledEventBacklog: EventBacklog {
    /// A file whose delivered events could not be taken away yet. Holding the claim keeps them from being sent twice.
    private struct Unsettled: Sendable {
        let segment: SpoolSegment
        let rest: [GoogleAnalyticsEvent]
    }

    /// A file that may be delivered from.
    private struct Candidate {
        let path: String
        let rank: Int
        /// Whether it is only looked at for what has expired, and tried when it is its turn.
        var isSweep = false
    }

    /// A file that is delivered from.
    private struct Chosen: Sendable {
        let segment: SpoolSegment
        let fresh: [GoogleAnalyticsEvent]
        let isSuspect: Bool
    }

    private let directory: SpoolDirectory
    private let writer: SpoolWriter
    private let portion: Int
    private let tally: AnalyticsTally
    private let disk = BlockingQueue("larder sink spool")
    private let unsettled = Concurrency.Mutex<[Unsettled]>([])
    private let failures = Concurrency.Mutex(RepeatedFailures())
    private let bytes = Atomic(0)

    /// - Parameters:
    ///   - directory: made when it is first needed.
    ///   - limit: how many bytes all the files may have.
    ///   - portion: how many events are handed out at a time.
    init(
        directory: String, limit: Int, segmentSize: Int = 128 * 1024, portion: Int = 250, tally: AnalyticsTally
    ) {
        self.directory = SpoolDirectory(path: directory, limit: limit)
        writer = SpoolWriter(directory: self.directory, segmentSize: segmentSize)
        self.portion = portion
        self.tally = tally
    }

    /// How many bytes all the files had when this one last did something with them.
    var size: Int { bytes.load(ordering: .relaxed) }

    func add(_ events: [GoogleAnalyticsEvent]) async throws -> Bool {
        let (lost, error) = await disk.run { [self] in
            defer { measure() }
            return writer.append(events)
        }
        tally.noteDropped(lost, error.map { AnalyticsDropReason(writing: $0) } ?? .backlogFull)
        if let error { throw error }
        return lost == 0
    }

    func withOldest(
        since cutoff: Int64, deliver: @Sendable (BacklogPortion) async -> [GoogleAnalyticsEvent]
    ) async throws -> BacklogLook {
        while !Task.isCancelled, let chosen = try await disk.run({ [self] in try choose(since: cutoff) }) {
            let (segment, fresh) = (chosen.segment, chosen.fresh)
            tally.noteDropped(segment.events.count - fresh.count, .expired)
            tally.noteDropped(segment.unreadable, .invalid)
            let portion = BacklogPortion(events: fresh, isSuspect: chosen.isSuspect)
            let rest = fresh.isEmpty ? [] : await deliver(portion)
            if !fresh.isEmpty { failures.withLock { $0.note(segment.path, isDelivered: rest.isEmpty) } }
            try await disk.run { [self] in
                defer { measure() }
                try settle([Unsettled(segment: segment, rest: rest)])
            }
            if !fresh.isEmpty { return rest.isEmpty ? .delivered : .kept(isSuspect: portion.isSuspect) }
        }
        return .nothing
    }

    /// Nothing is lost that is on disk.
    func close() async {
        await disk.run { [self] in
            writer.close()
            _ = settleAgain()
        }
    }

    private func measure() {
        bytes.store(directory.size, ordering: .relaxed)
    }

    /// The end of the first file that is to be delivered from and that nobody else is at; the one that is written to
    /// only if it is that. One that cannot be read is nothing to the others.
    private func choose(since cutoff: Int64) throws -> Chosen? {
        measure()
        var problem = settleAgain()
        for candidate in try candidates(since: cutoff) {
            writer.letGo(of: candidate.path)
            do throws(FileSystemError) {
                guard let file = try ClaimedFile.claim(candidate.path) else { continue }
                let segment = try SpoolSegment(file: file, portion: portion)
                let fresh = segment.events.filter { $0.timestamp >= cutoff }
                if candidate.isSweep, !fresh.isEmpty { continue }
                return Chosen(segment: segment, fresh: fresh, isSuspect: candidate.rank > 0)
            } catch {
                problem = problem ?? error
            }
        }
        if let problem { throw problem }
        return nil
    }

    /// Oldest first, but for those that fail again and again. What of those has expired must not wait for its turn,
    /// which need not come while nothing can be delivered: it takes the room of what has not.
    private func candidates(since cutoff: Int64) throws(FileSystemError) -> [Candidate] {
        let paths = try directory.files()
        let ranked = failures.withLock { failures in
            failures.keep(paths)
            return paths.map { Candidate(path: $0, rank: failures.rank(of: $0)) }
        }
        let old = ranked.filter { $0.rank > 0 && SpoolDirectory.birth(of: $0.path).map { $0 < cutoff } == true }
        return old.map { Candidate(path: $0.path, rank: $0.rank, isSweep: true) }
            + ranked.sorted { ($0.rank, $0.path) < ($1.rank, $1.path) }
    }

    private func settleAgain() -> FileSystemError? {
        let waiting = unsettled.withLock { unsettled in
            defer { unsettled = [] }
            return unsettled
        }
        do throws(FileSystemError) { try settle(waiting) } catch { return error }
        return nil
    }

    /// Takes what was delivered out of its files. Those where that fails are tried again.
    private func settle(_ segments: [Unsettled]) throws(FileSystemError) {
        var problem: FileSystemError?
        for unsettled in segments {
            do throws(FileSystemError) {
                try unsettled.segment.keep(unsettled.rest, temporary: directory.temporary())
            } catch {
                problem = problem ?? error
                self.unsettled.withLock { $0.append(unsettled) }
            }
        }
        if let problem { throw problem }
    }
}
