internal import FileSystem
internal import FoundationEssentials

/// A directory of its own for one test, removed with all in it afterwards.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        path = "\(FileManager.default.temporaryDirectory.path)/larder-test-\(UInt64.random(in: 0...UInt64.max))"
        try Files.createDirectories(path)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }
}
