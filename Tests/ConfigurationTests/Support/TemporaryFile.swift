import FoundationEssentials

/// A file that lives as long as a test needs it.
enum TemporaryFile {
    static func with(_ bytes: [UInt8], _ body: (String) throws -> Void) throws {
        let path = "/tmp/larder-configuration-\(UUID().uuidString)"
        try Data(bytes).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(path)
    }
}
