internal import Concurrency
internal import FileSystem
internal import FoundationEssentials

/// Keeps undelivered events on disk, as lines of JSON in files of limited size, so that they outlast the process.
///
/// One spool at a time uses the directory, by a lock that it holds until it is gone or its process ends. Events are
/// removed after their delivery: a crash in between sends them twice. File calls run on a thread of their own.
final class EventSpool: Sendable {
    /// Another process or sink has the lock.
    struct InUse: Error, CustomStringConvertible {
        let directory: String
        var description: String { "\(directory) is in use by another process or sink" }
    }

    /// The events of one file, which are tried together.
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
        /// The portion that was tried last, until its file is changed, and what is left of it.
        var tried: (portion: Portion, rest: [GoogleAnalyticsEvent])?
    }

    private let directory: String
    private let limit: Int
    private let fileSize: Int
    private let disk = BlockingQueue("larder sink spool")
    private let state = Mutex(State())
    private let bytes = Mutex(0)

    /// - Parameters:
    ///   - directory: made for the first event, for nobody else to read.
    ///   - limit: bytes of all files.
    ///   - fileSize: bytes from which a file is complete.
    init(directory: String, limit: Int, fileSize: Int = 128 * 1024) {
        self.directory = directory
        self.limit = limit
        self.fileSize = fileSize
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

    /// The portion that has waited longest since it was added or tried; nil when there is none. Settle it before asking
    /// for the next one.
    ///
    /// - Throws: the error of a file that cannot be changed after its delivery, or be read while no other can.
    func next() async throws -> Portion? {
        try await onDisk { spool, state in
            try spool.settle(&state)
            guard Files.exists(spool.directory) else { return nil }
            try spool.lock(&state)
            var failure: FileSystemError?
            for path in try spool.files() {
                if state.open?.path == path { state.open = nil }
                do throws(FileSystemError) { return try Portion(file: path) } catch { failure = failure ?? error }
            }
            if let failure { throw failure }
            return nil
        }
    }

    /// Removes a portion but for these events, which go behind all others: a request that always fails must not keep
    /// the others waiting.
    func settle(_ portion: Portion, keeping rest: [GoogleAnalyticsEvent]) async throws {
        try await onDisk { spool, state in
            state.tried = (portion, rest)
            try spool.settle(&state)
        }
    }

    /// Gives the lock back; a later call takes it again.
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

    /// Takes the lock, anew where somebody has removed the directory.
    private func lock(_ state: inout State) throws {
        if state.lock?.isInPlace == true { return }
        state.lock = nil
        let lock = try AppendFile(path: "\(directory)/.lock")
        guard try lock.hold() else { throw InUse(directory: directory) }
        state.lock = lock
        measure(state)
    }

    private func settle(_ state: inout State) throws(FileSystemError) {
        guard let (portion, rest) = state.tried else { return }
        if !rest.isEmpty, rest.count == portion.events.count, portion.unreadable == 0 {
            // Takes no room, so a full disk does not keep the other files from being tried.
            try Files.rename(portion.file, to: newPath())
            state.tried = nil
            return
        }
        if !rest.isEmpty {
            try Files.remove("\(directory)/.rest")
            try Files.replace(
                newPath(), with: rest.flatMap(\.line), temporary: "\(directory)/.rest", mode: 0o600)
            // A file that cannot be removed is not copied once more.
            state.tried = (portion, [])
        }
        try Files.remove(portion.file)
        state.tried = nil
    }

    /// A path behind those of all files.
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
