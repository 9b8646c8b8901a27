internal import Concurrency
internal import FileSystem
internal import Health
internal import Logging

/// A file of lines that is moved aside from a size on: `events.jsonl`, `events.jsonl.1`, ….
///
/// Several instances, in several processes, may share a path: each appends and rotates under a lock, and checks that
/// the path still leads to its file. Calls wait for the disk. A file that cannot be moved aside grows beyond the limit,
/// so that no lines are lost.
final class RotatedFile: Sendable {
    private struct Opened: Sendable {
        let file: AppendFile
        /// Length of the file after the last append.
        var end: Int?
    }

    /// Highest number of a rotated file.
    static let highestNumber = 1000
    /// Bounds the tries to open the current file while others rotate it, also on file systems with unstable inodes.
    private static let attempts = 10

    private let path: String
    private let rotateAt: Int
    private let rotation: FileRotation
    let troubles: AnalyticsTroubles
    private let opened = Mutex<Opened?>(nil)

    /// Opens nothing yet.
    ///
    /// - Parameter rotateAt: bytes from which the file is moved aside; at least one.
    init(path: String, rotateAt: Int, keep: Int, logger: Logger) {
        self.path = path
        self.rotateAt = max(1, rotateAt)
        troubles = AnalyticsTroubles(logger)
        rotation = FileRotation(path: path, keep: keep)
    }

    /// Appends the lines, after a rotation if one is due.
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

    /// Appends the lines; nil if the path leads to another file, which has to be opened first.
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

    /// Whether the file ends with a whole line. A killed process may leave a torn line, to which the next must not be
    /// appended.
    private func endsInLine(_ current: Opened, _ size: Int) -> Bool {
        guard size > 0, size != current.end, let last = try? current.file.lastByte() else { return true }
        return last == Self.newline
    }

    private static let newline = UInt8(ascii: "\n")

    private func rotate() {
        do throws(FileSystemError) {
            try rotation.run()
            troubles.report(.notRotated, cause: nil, ["path": "\(path)"])
        } catch {
            troubles.report(.notRotated, cause: "\(error)", ["error": "\(error)"])
        }
    }
}

/// Moves a file aside, and those that were moved before it: `f` becomes `f.1`, `f.1` becomes `f.2`, ….
struct FileRotation: Sendable {
    let path: String
    let keep: Int

    /// Moves the file aside, and removes files beyond `keep`, left by an earlier config.
    ///
    /// - Throws: the reason why the file was not moved. No line is lost in that case.
    func run() throws(FileSystemError) {
        if keep > 0 {
            try makeRoom()
            try Files.rename(path, to: "\(path).1")
        } else {
            try Files.remove(path)
        }
        for number in numbers() where number > keep { try? Files.remove("\(path).\(number)") }
    }

    /// Moves files one number up until the first number is free. After an incomplete rotation it may already be free.
    private func makeRoom() throws(FileSystemError) {
        let free = (1...keep).first { !Files.exists("\(path).\($0)") } ?? keep
        for number in stride(from: free - 1, through: 1, by: -1) {
            try Files.rename("\(path).\(number)", to: "\(path).\(number + 1)")
        }
    }

    /// The numbers of the rotated files. Other numbers, such as dates, belong to other programs.
    private func numbers() -> [Int] {
        let prefix = "\(path.split(separator: "/").last ?? "")."
        let names = (try? Files.list(Files.parent(of: path))) ?? []
        return names.compactMap { name in
            guard name.hasPrefix(prefix), let number = Int(name.dropFirst(prefix.count)),
                name == "\(prefix)\(number)", (1...RotatedFile.highestNumber).contains(number)
            else { return nil }
            return number
        }
    }
}
