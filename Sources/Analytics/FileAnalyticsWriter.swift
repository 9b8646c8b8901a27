public import Configuration
internal import FileSystem
internal import Locks

/// Appends events to a file, one JSON object a line, and rotates it by size: `events.jsonl`, `events.jsonl.1`, ….
///
/// A batch is one `write`, so a line is torn only if the machine itself stops in the middle of it.
public final class FileAnalyticsWriter: AnalyticsWriter {
    /// `type: file` in the `analytics:` section.
    public static let spec = ComponentSpec<SinkFamily>(
        type: "file",
        summary: "appends one JSON object a line to a file that is rotated by size",
        fields: [
            .required("path", .path, "the file; its directory is made when missing"),
            .defaulted("rotate_at", .size, "64MiB", "the size from which the file is moved aside"),
            .defaulted("keep", .integer, "3", "how many rotated files stay"),
        ],
        example: "{ type: file, path: /var/lib/larder/events.jsonl, rotate_at: 64MiB, keep: 3 }",
        plan: { reader in
            let path = reader.path("path")
            let rotateAt = reader.size("rotate_at")
            let keep = reader.integer("keep", in: 0...1000)
            let name = reader.name
            return { assembly in
                QueuedAnalyticsSink.started(
                    name: name, writer: FileAnalyticsWriter(path: path, rotateAt: rotateAt, keep: keep), in: assembly)
            }
        })

    private let path: String
    private let rotateAt: Int
    private let keep: Int
    private let file = Mutex<AppendFile?>(nil)

    /// Opens nothing yet: a directory that is missing or full must not keep the service from starting.
    ///
    /// - Parameters:
    ///   - rotateAt: the size in bytes from which the file is moved aside.
    ///   - keep: how many rotated files stay.
    public init(path: String, rotateAt: Int, keep: Int) {
        self.path = path
        self.rotateAt = rotateAt
        self.keep = keep
    }

    /// Appends the batch, after rotating a file that has its size; throws `FileSystemError`.
    public func write(_ batch: [AnalyticsEvent]) async throws {
        var lines: [UInt8] = []
        for event in batch { AnalyticsEventEncoder.append(event, to: &lines) }
        try file.withLock { file in
            do {
                var current = try file ?? open()
                if try current.size() >= rotateAt {
                    try rotate()
                    current = try open()
                }
                file = current
                try current.append(lines)
            } catch {
                file = nil
                throw error
            }
        }
    }

    private func open() throws -> AppendFile {
        try Files.createDirectories(Files.parent(of: path))
        return try AppendFile(path: path)
    }

    /// Moves every file one number up; the one beyond `keep` is replaced and so goes.
    private func rotate() throws {
        guard keep > 0 else { return try Files.remove(path) }
        for number in stride(from: keep - 1, through: 1, by: -1) where Files.exists("\(path).\(number)") {
            try Files.rename("\(path).\(number)", to: "\(path).\(number + 1)")
        }
        try Files.rename(path, to: "\(path).1")
    }
}
