import JSON
import TestSupport
import Testing

/// Requests from a running service what its document describes, checks every response against the description, and
/// remembers the statuses and fields that it has seen.
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
    ) async throws -> RawResponse? {
        let target = if let target { target } else { try await self.target(of: operation) }
        let line = "\(operation.method) \(target)"
        guard let answer = try await Self.exchange(line, fields, port: port ?? self.port) else {
            Issue.record("no answer to \(line)")
            return nil
        }
        #expect(answer.status == status, "\(line) \(fields.debugDescription)")
        check(answer, of: operation)
        return answer
    }

    /// Checks a response against the description.
    func check(_ answer: RawResponse, of operation: DocumentedOperation) {
        let check = AnswerCheck(answer, of: operation, checker: document.checker)
        seen[operation.name, default: [:]][answer.status, default: []].formUnion(check.fields)
        #expect(check.problems == [], "\(operation.name) \(answer.status)")
    }

    /// Everything that is documented and was not seen, as `GET /products 200 etag`.
    /// - Parameter absent: the statuses that were not provoked.
    func missing(except absent: Set<Int> = []) -> [String] {
        document.operations.flatMap { operation in
            operation.answers.keys.filter { !absent.contains($0) }.sorted().flatMap { status -> [String] in
                let name = "\(operation.name) \(status)"
                guard let found = seen[operation.name]?[status] else { return [name] }
                return operation.fields(of: status).map(\.name).filter { !found.contains($0) }.map { "\(name) \($0)" }
            }
        }
    }

    /// The operation's path, with an id in it, and the query that it needs.
    private func target(of operation: DocumentedOperation) async throws -> String {
        if operation.path == "/changes", operation.method != "OPTIONS" {
            let tag = try await Self.exchange("GET /products", port: port)?.headers["etag"]
            return "/changes?since=\(tag?.dropFirst().prefix(32) ?? "none")"
        }
        return operation.path.split(separator: "{id}", omittingEmptySubsequences: false).joined(separator: "1")
    }

    /// The answer to a request line, which is of HTTP/1.1 unless it says otherwise, and header lines.
    static func exchange(_ line: String, _ fields: String = "", port: Int) async throws -> RawResponse? {
        let hasVersion = line.contains(" HTTP/")
        let host = fields.contains("Host:") ? "" : "Host: 127.0.0.1\r\n"
        let crowd = try await ClientCrowd(count: 1, port: port)
        defer { crowd.leave() }
        await crowd.send(
            text: "\(line)\(hasVersion ? "" : " HTTP/1.1")\r\n\(host)Connection: close\r\n\(fields)\r\n", by: 0)
        return await crowd.answers()[0]
    }
}

extension Walk {
    /// Asks for every operation in the simplest way.
    func usual(unavailable: Set<String> = []) async throws {
        for operation in document.operations {
            let isAvailable = operation.method == "OPTIONS" || !unavailable.contains(operation.path)
            let good = operation.method == "OPTIONS" ? 204 : 200
            try await ask(operation, expecting: isAvailable ? good : 503)
        }
    }

    /// Checks that methods without a description are refused.
    func otherMethods() async throws {
        for path in document.paths {
            let documented = document.operations.filter { $0.path == path }.map(\.method)
            for method in ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE"]
            where !documented.contains(method) {
                let answer = try await Self.exchange("\(method) \(path)", port: port)
                #expect(answer?.status == 405)
                let allowed = answer?.headers["allow"]?.split(separator: ", ").map(String.init) ?? []
                #expect(Set(allowed) == Set(documented), "\(method) \(path)")
            }
        }
    }

    /// Asks with every kind of precondition, and every content coding.
    func conditions() async throws {
        for operation in operations(with: 304) {
            let answer = try #require(try await ask(operation, expecting: 200))
            let tag = try #require(answer.headers["etag"])
            let date = try #require(answer.headers["last-modified"])
            try await ask(operation, fields: "If-None-Match: \(tag)\r\n", expecting: 304)
            try await ask(operation, fields: "If-Modified-Since: \(date)\r\n", expecting: 304)
            try await ask(operation, fields: "If-Match: \"none\"\r\n", expecting: 412)
            let old = "Sun, 06 Nov 1994 08:49:37 GMT"
            try await ask(operation, fields: "If-Unmodified-Since: \(old)\r\n", expecting: 412)
            try await ask(operation, fields: "Accept-Encoding: gzip, identity;q=0\r\n", expecting: 200)
            try await ask(operation, fields: "Accept-Encoding: identity;q=0\r\n", expecting: 406)
        }
    }

    /// Asks with every parameter: with its example, and with values that its schema does not allow.
    func parameters() async throws {
        for operation in document.operations where operation.method != "OPTIONS" {
            for parameter in operation.parameters where parameter.place == "query" {
                try await ask(parameter, of: operation)
            }
            for parameter in operation.parameters where parameter.place == "header" {
                try await ask(operation, fields: "\(parameter.name): \(parameter.written ?? "x")\r\n", expecting: 200)
            }
            guard operation.answers[400] != nil, !["/livez", "/readyz", "/healthz"].contains(operation.path) else {
                continue
            }
            try await ask(operation, "\(operation.path)?nonsense=1", expecting: 400)
        }
    }

    private func ask(_ parameter: DocumentedParameter, of operation: DocumentedOperation) async throws {
        let target = operation.path == "/changes" ? operation.path : try await self.target(of: operation)
        if let example = parameter.written {
            let query = example.isEmpty ? parameter.name : "\(parameter.name)=\(Self.escaped(example))"
            try await ask(operation, "\(target)?\(query)", expecting: 200)
            #expect(document.checker.faults(try #require(parameter.example), .object(parameter.schema)) == [])
        }
        // Of a flag, whose value does not matter, and of names that may be anything only the spelling can be wrong.
        let isFree = ["verbose", "exclude"].contains(parameter.name)
        for value in (isFree ? [] : parameter.malformed.map(Self.escaped)) + ["%zz"] {
            try await ask(operation, "\(target)?\(parameter.name)=\(value)", expecting: 400)
        }
    }

    private static func escaped(_ text: String) -> String {
        text.map { [" ": "%20", "\\": "%5C"][$0] ?? "\($0)" }.joined()
    }
}
