import Configuration
import FoundationEssentials
import Testing

struct ConfigFileTests {
    /// The description of what reading `path` throws.
    private func failure(_ path: String) -> String? {
        do {
            _ = try ConfigDocument.read(path: path, environment: [:])
            return nil
        } catch {
            return error.description
        }
    }

    @Test("a missing file is one clear line")
    func aMissingFile() {
        #expect(failure("/no/such.yaml") == "/no/such.yaml: error: cannot read the config file: no such file")
    }

    @Test("a directory is one clear line")
    func aDirectory() {
        #expect(failure("/tmp") == "/tmp: error: cannot read the config file: it is a directory")
    }

    @Test("a path below a file is one clear line")
    func aPathBelowAFile() throws {
        try TemporaryFile.with(Array("a: 1".utf8)) { path in
            #expect(
                failure("\(path)/c.yaml")?.hasPrefix("\(path)/c.yaml: error: cannot read the config file: ") == true)
        }
    }

    @Test("bytes that are no text are one clear line")
    func bytesThatAreNoText() throws {
        try TemporaryFile.with([0x61, 0x3A, 0x20, 0xFF]) { path in
            #expect(failure(path) == "\(path): error: cannot read the config file: it is not UTF-8 text")
        }
    }

    @Test("a byte order mark moves nothing")
    func aByteOrderMark() throws {
        try TemporaryFile.with([0xEF, 0xBB, 0xBF] + Array("a: 1".utf8)) { path in
            let document = try ConfigDocument.read(path: path, environment: [:])
            #expect(document.root["a"]?.position == SourcePosition(file: path, line: 1, column: 4))
        }
    }
}
