internal import Concurrency
internal import FileSystem
internal import FoundationEssentials

/// Keeps undelivered events on disk, as lines of JSON in files of limited size, so that they outlast the process.
///
/// One spool at a time uses the directory, under a lock that it holds until it is released or its process ends. Events
/// are removed after their delivery: a crash in between sends them twice. File calls run on a thread of their own.
final class EventSpool: Sendable {
    /// Another process or sink has the lock.
    struct InUse: Error, CustomStringConvertible {
        let directory: String
        var description: String { "\(directory) is in use by another process or sink" }
    }

    /// The events of one file, which are sent together.
    struct Portion: Sendable {
        let file: String
        let events: [GoogleAnalyticsEvent]
        /// Damaged lines; a crash may leave one.
        let unreadable: Int
        /// Bytes of the file.
        let size: Int

        fileprivate init(file: String) throws(FileSystemError) {
            let bytes = try Files.read(file)
            let lines = bytes.split(separator: UInt8(ascii: "\n"))
            self.file = file
            events = lines.compactMap { GoogleAnalyticsEvent(line: $0) }
            unreadable = lines.count - events.count
            size = bytes.count
        }
    }

    private struct State: Sendable {
        var lock: AppendFile?
        /// The file that grows; all others are complete.
        var open: AppendFile?
        /// Rests of portions that were tried, by the file that has yet to be rewritten.
        var tried: [String: [GoogleAnalyticsEvent]] = [:]
        /// Failed tries of a file, and the end of the pause after the last one.
        var failed: [String: (tries: Int, end: Duration)] = [:]
    }

    private let directory: String
    private let limit: Int
    private let fileSize: Int
    private let uptime: Uptime
    private let jitter: @Sendable () -> Double
    private let disk = BlockingQueue("larder sink spool")
    private let state = Mutex(State())
    private let bytes = Mutex(0)

    /// - Parameters:
    ///   - directory: created for the first event, readable only by its owner.
    ///   - limit: bytes of all files.
    ///   - fileSize: bytes from which a file is complete.
    ///   - environment: times the pauses of portions.
    init(
        directory: String, limit: Int, fileSize: Int = 128 * 1024,
        environment: AnalyticsEnvironment = AnalyticsEnvironment()
    ) {
        self.directory = directory
        self.limit = limit
        self.fileSize = fileSize
        uptime = Uptime(of: environment.clock)
        jitter = environment.jitter
    }

    /// Bytes that waited at the last call. Does not wait for the disk.
    var size: Int { bytes.withLock { $0 } }

    /// Adds events behind all others, as many as fit.
    ///
    /// - Returns: how many did not fit.
    func add(_ events: [GoogleAnalyticsEvent]) async throws -> Int {
        try await onDisk { spool, state in
            try Files.createDirectories(spool.directory, isPrivate: true)
            try spool.lock(&state)
            var room = spool.limit - spool.size
            let lines = events.map(\.line).prefix { line in
                room -= line.count
                return room >= 0
            }
            guard !lines.isEmpty else { return events.count }
            if let open = state.open, try !open.isInPlace || open.size() >= spool.fileSize { state.open = nil }
            let file = try state.open ?? AppendFile(path: spool.newPath())
            state.open = file
            try file.append(Array(lines.joined()))
            return events.count - lines.count
        }
    }

    /// The oldest portion, failed ones last; nil if none is due. Settle it before requesting the next one.
    ///
    /// - Throws: the error of a file that cannot be read, or rewritten after its delivery, if there is no other file.
    func next() async throws -> Portion? {
        try await onDisk { spool, state in
            var failure: FileSystemError?
            for (file, rest) in state.tried.sorted(by: { $0.key < $1.key }) {
                do throws(FileSystemError) { try spool.settle(file, rest, &state) } catch { failure = failure ?? error }
            }
            if Files.exists(spool.directory) {
                try spool.lock(&state)
                let files = Set(try spool.files())
                state.failed = state.failed.filter { files.contains($0.key) }
                let now = spool.uptime.now
                let ends = files.subtracting(state.tried.keys).map { (state.failed[$0]?.end ?? .zero, $0) }
                for (end, file) in ends.sorted(by: <) where end <= now {
                    if state.open?.path == file { state.open = nil }
                    do throws(FileSystemError) { return try Portion(file: file) } catch { failure = failure ?? error }
                }
            } else {
                state.failed = [:]
            }
            if let failure { throw failure }
            return nil
        }
    }

    /// Time until a failed portion may be tried again; nil if none is waiting.
    func pause() async throws -> Duration? {
        try await onDisk { spool, state in state.failed.values.map { $0.end - spool.uptime.now }.min() }
    }

    /// Removes a portion except these events, which get a pause of their own, so that a request that always fails does
    /// not delay the others. The pause doubles while nothing of a portion is delivered.
    func settle(_ portion: Portion, keeping rest: [GoogleAnalyticsEvent]) async throws {
        try await onDisk { spool, state in
            if !rest.isEmpty, rest.count == portion.events.count, portion.unreadable == 0 {
                return spool.holdOff(portion.file, &state)
            }
            (state.tried[portion.file], state.failed[portion.file]) = (rest, nil)
            try spool.settle(portion.file, rest, &state)
        }
    }

    /// Releases the lock; a later call acquires it again.
    func close() async {
        await disk.run { [self] in state.withLock { ($0.lock, $0.open) = (nil, nil) } }
    }

    private func onDisk<Value: Sendable>(
        _ body: @escaping @Sendable (EventSpool, inout State) throws -> Value
    ) async throws -> Value {
        try await disk.run { [self] in
            try state.withLock { state in
                defer { measure(state) }
                return try body(self, &state)
            }
        }
    }

    /// Acquires the lock, again if the directory was removed.
    private func lock(_ state: inout State) throws {
        if state.lock?.isInPlace == true { return }
        state.lock = nil
        let lock = try AppendFile(path: "\(directory)/.lock")
        guard try lock.hold() else { throw InUse(directory: directory) }
        state.lock = lock
        measure(state)
    }

    private func holdOff(_ file: String, _ state: inout State) {
        let tries = (state.failed[file]?.tries ?? 0) + 1
        state.failed[file] = (tries, uptime.now + DeliveryHealth.backoff.pause(after: tries) * jitter())
    }

    private func settle(
        _ file: String, _ rest: [GoogleAnalyticsEvent], _ state: inout State
    ) throws(FileSystemError) {
        if !rest.isEmpty {
            let path = try newPath()
            try Files.remove("\(directory)/.rest")
            try Files.replace(path, with: rest.flatMap(\.line), temporary: "\(directory)/.rest", mode: 0o600)
            // A file that cannot be removed is not sent again.
            state.tried[file] = []
            holdOff(path, &state)
        }
        try Files.remove(file)
        state.tried[file] = nil
    }

    /// A path that sorts last.
    private func newPath() throws(FileSystemError) -> String {
        let newest = try files().last?.split(separator: "/").last?.prefix { $0.isNumber }
        let number = max(GoogleAnalyticsEvent.microseconds(Date()), (newest.flatMap { Int64($0) } ?? 0) + 1)
        return "\(directory)/\(number).jsonl"
    }

    /// The paths of the files, oldest first.
    private func files() throws(FileSystemError) -> [String] {
        try Files.list(directory).filter { $0.hasSuffix(".jsonl") && !$0.hasPrefix(".") }.map { "\(directory)/\($0)" }
    }

    private func measure(_ state: State) {
        let files = (state.lock == nil ? nil : try? files()) ?? []
        let size = files.reduce(0) { $0 + ((try? Files.status(of: $1).size) ?? 0) }
        bytes.withLock { $0 = size }
    }
}
