import JSON
import TestSupport
import Testing

/// Asks a running port what its document describes, holds every answer against the description, and remembers what was
/// seen.
final class Walk {
    let port: Int
    let document: DocumentedPort
    /// The statuses of each operation, and the fields that came with them.
    private var seen: [String: [Int: Set<String>]] = [:]

    /// - Throws: when there is no document.
    init(port: Int) async throws {
        self.port = port
        let answer = try #require(try await Self.exchange("GET /openapi.json", port: port))
        #expect(answer.status == 200)
        document = try DocumentedPort(answer.body)
    }

    /// The operations with a status.
    func operations(with status: Int) -> [DocumentedOperation] {
        document.operations.filter { $0.answers[status] != nil }
    }

    /// Asks for an operation.
    /// - Parameters:
    ///   - target: path and query; the operation's path with an id in it, where none is given.
    ///   - fields: header lines, each with its end.
    ///   - status: what is to come.
    @discardableResult
    func ask(
        _ operation: DocumentedOperation, _ target: String? = nil, fields: String = "", port: Int? = nil,
        expecting status: Int
    ) async throws -> ClientAnswer? {
        let target = target ?? Self.target(of: operation)
        let line = "\(operation.method) \(target)"
        guard let answer = try await Self.exchange(line, fields, port: port ?? self.port) else {
            Issue.record("no answer to \(line)")
            return nil
        }
        #expect(answer.status == status, "\(line) \(fields.debugDescription)")
        check(answer, of: operation)
        return answer
    }

    /// Holds an answer against the description.
    func check(_ answer: ClientAnswer, of operation: DocumentedOperation) {
        let check = AnswerCheck(answer, of: operation, checker: document.checker)
        seen[operation.name, default: [:]][answer.status, default: []].formUnion(check.fields)
        #expect(check.problems == [], "\(operation.name) \(answer.status)")
    }

    /// What is documented and was not seen, as `GET /products 200 etag`.
    /// - Parameter absent: the statuses that nobody asked for.
    func missing(except absent: Set<Int> = []) -> [String] {
        document.operations.flatMap { operation in
            operation.answers.keys.filter { !absent.contains($0) }.sorted().flatMap { status -> [String] in
                let name = "\(operation.name) \(status)"
                guard let found = seen[operation.name]?[status] else { return [name] }
                return operation.fields(of: status).map(\.name).filter { !found.contains($0) }.map { "\(name) \($0)" }
            }
        }
    }

    /// A target that the operation has something to say about.
    static func target(of operation: DocumentedOperation) -> String {
        let target = operation.path.split(separator: "{id}", omittingEmptySubsequences: false).joined(separator: "1")
        return operation.parameters.contains { $0.name == "explain" } ? "\(target)?explain=1" : target
    }

    /// The answer to a request line, which is of HTTP/1.1 unless it says otherwise, and header lines.
    static func exchange(_ line: String, _ fields: String = "", port: Int) async throws -> ClientAnswer? {
        let hasVersion = line.contains(" HTTP/")
        let host = fields.contains("Host:") ? "" : "Host: 127.0.0.1\r\n"
        let crowd = try await ClientCrowd(count: 1, port: port)
        defer { crowd.leave() }
        await crowd.send(
            text: "\(line)\(hasVersion ? "" : " HTTP/1.1")\r\n\(host)Connection: close\r\n\(fields)\r\n", by: 0)
        return await crowd.answers()[0]
    }
}
