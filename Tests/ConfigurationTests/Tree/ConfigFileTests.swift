import FoundationEssentials
import Testing

@testable import Configuration

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

    @Test func `a missing file is one clear line`() {
        #expect(failure("/no/such.yaml") == "/no/such.yaml: error: cannot read the config file: no such file")
    }

    @Test func `a directory is one clear line`() {
        #expect(failure("/tmp") == "/tmp: error: cannot read the config file: it is a directory")
    }

    @Test func `a path below a file is one clear line`() throws {
        try TemporaryFile.with(Array("a: 1".utf8)) { path in
            #expect(
                failure("\(path)/c.yaml")?.hasPrefix("\(path)/c.yaml: error: cannot read the config file: ") == true)
        }
    }

    @Test func `bytes that are no text are one clear line`() throws {
        try TemporaryFile.with([0x61, 0x3A, 0x20, 0xFF]) { path in
            #expect(failure(path) == "\(path): error: cannot read the config file: it is not UTF-8 text")
        }
    }

    @Test func `a byte order mark moves nothing`() throws {
        try TemporaryFile.with([0xEF, 0xBB, 0xBF] + Array("a: 1".utf8)) { path in
            let document = try ConfigDocument.read(path: path, environment: [:])
            #expect(document.root["a"]?.position == SourcePosition(file: path, line: 1, column: 4))
        }
    }
}

struct InterpolationTests {
    static let environment = ["HOST": "shop", "PORT": "80", "EMPTY": "", "YAML": "[a, b]", "SELF": "${HOST}"]

    @Test(arguments: [
        ("plain", "plain"),
        ("${HOST}", "shop"),
        ("http://${HOST}:${PORT}/", "http://shop:80/"),
        ("${NOBODY:-default}", "default"),
        ("${NOBODY:-}", ""),
        ("${EMPTY:-default}", "default"),
        ("${EMPTY}", ""),
        ("${HOST:-default}", "shop"),
        ("${NOBODY:-${PORT}}", "80"),
        ("${NOBODY:-${NOBODY:-deep}}!", "deep!"),
        ("${HOST:-${UNDEFINED}}", "shop"),
        ("$${HOST}", "${HOST}"),
        ("$$${HOST}", "$${HOST}"),
        ("$HOST costs 5$", "$HOST costs 5$"),
        ("${SELF}", "${HOST}"),
        ("${YAML}", "[a, b]"),
    ])
    func `references become values`(_ text: String, _ expected: String) throws {
        #expect(try Interpolation(environment: Self.environment).pieces(of: text).map(\.value).joined() == expected)
    }

    @Test(arguments: [
        ("${NOBODY}", Interpolation.Failure.undefined("NOBODY")),
        ("a ${HOST", .unclosed),
        ("${NOBODY:-${PORT}", .unclosed),
        ("${}", .badName("")),
        ("${1ST}", .badName("1ST")),
        ("${ HOST }", .badName(" HOST ")),
        ("${HOST-x}", .badOperator("HOST")),
        ("${HOST:x}", .badOperator("HOST")),
        ("${NOBODY:-${ELSE}}", .undefined("ELSE")),
    ])
    func `what is no reference is refused`(_ text: String, _ failure: Interpolation.Failure) {
        #expect(throws: failure) { try Interpolation(environment: Self.environment).pieces(of: text) }
    }
}

struct DiagnosticTests {
    @Test func `a diagnostic reads like a compiler's`() {
        let position = SourcePosition(file: "config/larder.yaml", line: 14, column: 7)
        let problem = Diagnostic(.error, at: position, "unknown key \"tll\" in \"memory\"", suggestion: "ttl")
        #expect(
            problem.description
                == #"config/larder.yaml:14:7: error: unknown key "tll" in "memory"; did you mean "ttl"?"#)
    }

    @Test func `problems are sorted by position, errors first`() {
        let places = [(2, 1), (1, 9), (10, 1), (1, 10)].map { SourcePosition(file: "f", line: $0.0, column: $0.1) }
        let problems = places.map { Diagnostic(.error, at: $0, "m") } + [Diagnostic(.warning, at: places[1], "a")]
        #expect(
            ConfigurationError(problems).description.split(separator: "\n")
                == [
                    "f:1:9: error: m", "f:1:9: warning: a", "f:1:10: error: m", "f:2:1: error: m", "f:10:1: error: m",
                ])
    }
}
