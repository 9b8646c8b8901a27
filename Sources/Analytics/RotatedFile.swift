internal import Concurrency
internal import FileSystem
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

/// How a file is moved aside, and those that were moved before it: `f` becomes `f.1`, `f.1` becomes `f.2`, ….
struct FileRotation: Sendable {
    let path: String
    /// How many rotated files stay.
    let keep: Int
    /// The highest number that a rotated file may have.
    let highestNumber: Int

    /// Moves the file aside. Those beyond `keep`, which may have been more once, go.
    ///
    /// - Throws: what kept the file from being moved. It has all its lines then, and so have the others.
    func run() throws(FileSystemError) {
        if keep > 0 {
            try makeRoom()
            try Files.rename(path, to: "\(path).1")
        } else {
            try Files.remove(path)
        }
        for number in numbers() where number > keep { try? Files.remove("\(path).\(number)") }
    }

    /// Moves files one number up as far as is needed for the first one to be free. A try after one that got no further
    /// finds it free, and moves none.
    private func makeRoom() throws(FileSystemError) {
        let free = (1...keep).first { !Files.exists("\(path).\($0)") } ?? keep
        for number in stride(from: free - 1, through: 1, by: -1) {
            try Files.rename("\(path).\(number)", to: "\(path).\(number + 1)")
        }
    }

    /// The numbers of the files that are there, as far as that can be told. A number that rotation does not give, such
    /// as a date, is somebody else's.
    private func numbers() -> [Int] {
        let prefix = "\(path.split(separator: "/").last ?? "")."
        let names = (try? Files.list(Files.parent(of: path))) ?? []
        return names.compactMap { name in
            guard name.hasPrefix(prefix), let number = Int(name.dropFirst(prefix.count)),
                name == "\(prefix)\(number)", (1...highestNumber).contains(number)
            else { return nil }
            return number
        }
    }
}
