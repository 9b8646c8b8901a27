import Testing

@testable import Configuration

struct InterpolationTests {
    static let environment = ["HOST": "shop", "PORT": "80", "EMPTY": "", "YAML": "[a, b]", "SELF": "${HOST}"]

    @Test(
        "references become values",
        arguments: [
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
    func referencesBecomeValues(_ text: String, _ expected: String) throws {
        #expect(try Interpolation(environment: Self.environment).apply(text) == expected)
    }

    @Test(
        "what is no reference is refused",
        arguments: [
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
    func whatIsNoReferenceIsRefused(_ text: String, _ failure: Interpolation.Failure) {
        #expect(throws: failure) { try Interpolation(environment: Self.environment).apply(text) }
    }
}
