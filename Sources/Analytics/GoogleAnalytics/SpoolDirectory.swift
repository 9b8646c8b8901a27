internal import FileSystem
internal import FoundationEssentials

/// The files of a spool: which there are, and how new ones are made. Calls wait for the disk.
struct SpoolDirectory: Sendable {
    private static let suffix = ".jsonl"
    /// From which age a temporary file is nobody's any more, in seconds. They are renamed at once, or else removed.
    private static let lifeOfTemporaries: TimeInterval = 3600

    /// Where it is; made when it is first needed, and for nobody else to read.
    let path: String
    /// How many bytes all its files may have.
    let limit: Int

    /// The paths of the files, oldest first. What crashes have left of temporary ones goes.
    func files() throws(FileSystemError) -> [String] {
        let all = try names()
        for name in all where name.hasPrefix(".") { sweep("\(path)/\(name)") }
        return all.filter { !$0.hasPrefix(".") }.map { "\(path)/\($0)" }
    }

    /// How many bytes all the files have.
    var size: Int {
        ((try? names()) ?? []).reduce(0) { $0 + ((try? Files.status(of: "\(path)/\($1)").size) ?? 0) }
    }

    /// When a file was made by its name, in microseconds since 1970; nil for one that somebody else has named.
    static func birth(of path: String) -> Int64? {
        path.split(separator: "/").last.flatMap { Int64($0.prefix { $0 != "-" }) }
    }

    /// A new file, which is claimed; nil when there is no room for so many bytes.
    func newFile(ofAtMost size: Int) throws(FileSystemError) -> ClaimedFile? {
        try Files.createDirectories(path, isPrivate: true)
        guard self.size + size <= limit else { return nil }
        let name = "\(GoogleAnalyticsEvent.microseconds(Date()))-\(Self.random())\(Self.suffix)"
        return try ClaimedFile.create("\(path)/\(name)", temporary: temporary())
    }

    /// A path for a file that is not to be found yet.
    func temporary() -> String { "\(path)/.\(Self.random())\(Self.suffix)" }

    private func names() throws(FileSystemError) -> [String] {
        guard Files.exists(path) else { return [] }
        return try Files.list(path).filter { $0.hasSuffix(Self.suffix) }
    }

    private func sweep(_ temporary: String) {
        guard let status = try? Files.status(of: temporary) else { return }
        let age = Date().timeIntervalSince1970 - TimeInterval(status.modifiedAt) / 1_000_000_000
        if age > Self.lifeOfTemporaries { try? Files.remove(temporary) }
    }

    private static func random() -> String { String(UInt64.random(in: 0...UInt64.max), radix: 16) }
}
