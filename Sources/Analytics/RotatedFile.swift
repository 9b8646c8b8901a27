internal import FileSystem
internal import Locks
internal import Logging

/// A file of lines that is moved aside when it has its size: `events.jsonl`, `events.jsonl.1`, ….
///
/// Any number of these, in any number of processes, may have the same path: each appends and rotates only while it has
/// the file to itself, and looks whether the path is still that file's. Calls wait for the disk. A file that cannot be
/// moved aside goes on to grow: lines are worth more than its size.
final class RotatedFile: Sendable {
    private struct Opened: Sendable {
        let file: AppendFile
        /// How long it was when its last line was one of these.
        var end: Int?
    }

    /// The highest number that a file may have had, whatever is configured today.
    static let highestNumber = 1000
    /// How often others may come first. A file system that numbers its files anew at each look must find an end, too.
    private static let attempts = 10

    private let path: String
    private let rotateAt: Int
    private let rotation: FileRotation
    private let logger: Logger
    private let opened = Mutex<Opened?>(nil)
    /// Whether the file could not be moved aside when it last should have been.
    private let isStuck = Mutex(false)

    /// Opens nothing yet.
    ///
    /// - Parameters:
    ///   - rotateAt: the size in bytes from which the file is moved aside; at least one.
    ///   - keep: how many rotated files stay.
    init(path: String, rotateAt: Int, keep: Int, logger: Logger) {
        self.path = path
        self.rotateAt = max(1, rotateAt)
        self.logger = logger
        rotation = FileRotation(path: path, keep: keep, highestNumber: Self.highestNumber)
    }

    /// Appends the lines, after rotating a file that has its size.
    func append(_ lines: [UInt8]) throws {
        try opened.withLock { opened in
            do {
                for attempt in 1...Self.attempts {
                    let current = try opened ?? open()
                    opened = try current.file.alone {
                        try appended(lines, to: current, anyhow: attempt == Self.attempts)
                    }
                    if opened != nil { return }
                }
            } catch {
                opened = nil
                throw error
            }
        }
    }

    private func open() throws(FileSystemError) -> Opened {
        try Files.createDirectories(Files.parent(of: path))
        return Opened(file: try AppendFile(path: path))
    }

    /// Nil when another file is to be opened first.
    private func appended(
        _ lines: [UInt8], to current: Opened, anyhow: Bool
    ) throws(FileSystemError) -> Opened? {
        let size = try current.file.size()
        if !anyhow {
            guard current.file.isInPlace else { return nil }
            if size >= rotateAt {
                rotate()
                guard current.file.isInPlace else { return nil }
            }
        }
        let bytes = endsInLine(current, size) ? lines : [Self.newline] + lines
        try current.file.append(bytes)
        return Opened(file: current.file, end: size + bytes.count)
    }

    /// Whoever wrote last may have been killed in the middle of a line, which must not swallow the next one.
    private func endsInLine(_ current: Opened, _ size: Int) -> Bool {
        guard size > 0, size != current.end, let last = try? current.file.lastByte() else { return true }
        return last == Self.newline
    }

    private static let newline = UInt8(ascii: "\n")

    private func rotate() {
        do throws(FileSystemError) {
            try rotation.run()
            if setStuck(false) { logger.notice("analytics file is rotated again", metadata: ["path": "\(path)"]) }
        } catch {
            guard setStuck(true) else { return }
            logger.warning("analytics file cannot be rotated and grows", metadata: ["error": "\(error)"])
        }
    }

    /// Whether that is news.
    private func setStuck(_ isStuck: Bool) -> Bool {
        self.isStuck.withLock { current in
            defer { current = isStuck }
            return current != isStuck
        }
    }
}
