import TestSupport
import Testing

/// What a client sends on one connection, and what it must get: the statuses in their order and whether the connection
/// ends without the client's doing.
struct GuardCase: Sendable, CustomTestStringConvertible {
    var name: String
    var input: [UInt8]
    var statuses: [Int]
    var closes: Bool

    var testDescription: String { name }

    /// A refusal: one answer, then the end, whatever else was sent.
    static func refused(_ name: String, _ input: String, _ status: Int) -> GuardCase {
        GuardCase(name: name, input: [UInt8](input.utf8), statuses: [status], closes: true)
    }

    /// Served, with the connection open for more.
    static func served(_ name: String, _ input: String, _ statuses: [Int] = [200], closes: Bool = false) -> GuardCase {
        GuardCase(name: name, input: [UInt8](input.utf8), statuses: statuses, closes: closes)
    }

    /// A GET with these field lines beside its `Host`.
    static func field(_ name: String, _ lines: String, _ status: Int) -> GuardCase {
        refused(name, "GET / HTTP/1.1\r\nHost: a\r\n\(lines)\r\n\r\n", status)
    }

    /// A GET with this `Host`.
    static func host(_ name: String, _ value: String) -> GuardCase {
        refused("a Host with \(name)", "GET / HTTP/1.1\r\nHost: \(value)\r\n\r\n", 400)
    }

    /// A POST with these field lines and what follows the head.
    static func body(_ name: String, _ lines: String, _ body: String, _ status: Int) -> GuardCase {
        refused(name, "POST / HTTP/1.1\r\nHost: a\r\n\(lines)\r\n\r\n\(body)", status)
    }

    /// A request line with a `Host`.
    static func line(_ name: String, _ line: String, _ status: Int) -> GuardCase {
        refused(name, "\(line)\r\nHost: a\r\n\r\n", status)
    }

    static func get(_ target: String) -> String { "GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n" }
}

/// What a client got for its input.
struct Answers: Sendable {
    var responses: [RawResponse]
    var isClosed: Bool

    /// Reads as many answers as are expected and then asks once more, to find out whether the connection goes on.
    init(_ client: RawClient, to expected: GuardCase) throws {
        let isHead = expected.input.starts(with: "HEAD ".utf8)
        responses = try expected.statuses.map { _ in try client.receive(bodyless: isHead) }
        if expected.closes {
            isClosed = try client.isClosedByServer()
        } else {
            isClosed = try client.get("/probe").status != 200
        }
    }
}
