internal import FileSystem
internal import FoundationEssentials

/// A directory of its own for one test, removed with all in it afterwards.
public final class TemporaryDirectory: Sendable {
    /// The directory's path.
    public let path: String

    /// Makes the directory.
    public init() throws {
        path = "\(FileManager.default.temporaryDirectory.path)/larder-test-\(UInt64.random(in: 0...UInt64.max))"
        try Files.createDirectories(path)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of something in the directory.
    public func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }
}
