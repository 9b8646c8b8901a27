import TestSupport
import Testing

/// Requests that the server refuses before routing.
extension Walk {
    /// Sends each kind of malformed request to every operation that describes its status.
    func refused() async throws {
        for request in RefusedRequest.all {
            for operation in operations(with: request.status) {
                let target = operation.path + request.suffix
                try await ask(operation, target, fields: request.fields, expecting: request.status)
            }
        }
    }

    /// Sends request heads that do not end, several at once, since each takes a while.
    func unfinished() async throws {
        let operations = operations(with: 408)
        for few in stride(from: 0, to: operations.count, by: 6) {
            let some = operations[few..<min(few + 6, operations.count)]
            let crowd = try await ClientCrowd(count: some.count, port: port)
            defer { crowd.leave() }
            for (client, operation) in some.enumerated() {
                await crowd.send(text: "\(operation.method) \(operation.path) HTTP/1.1\r\nHost:", by: client)
            }
            for (operation, answer) in zip(some, await crowd.answers()) {
                #expect(answer?.status == 408, "\(operation.name)")
                if let answer { check(answer, of: operation) }
            }
        }
    }

    /// Sends requests while unfinished ones hold all connections.
    func crowded(_ connections: Int, expecting status: Int = 503) async throws {
        for operation in operations(with: status) {
            try await eventually {
                let crowd = try await ClientCrowd(count: connections, port: port)
                defer { crowd.leave() }
                for client in 0..<connections { await crowd.send(text: "GET / HTTP/1.1\r\nHost:", by: client) }
                let answer = try await Self.exchange("\(operation.method) \(operation.path)", port: port)
                guard let answer, answer.status == status, answer.headers["retry-after"] != nil else { return false }
                check(answer, of: operation)
                return true
            }
        }
    }
}

/// A request that the server refuses before routing.
private struct RefusedRequest {
    let status: Int
    /// The rest of the request line after the path.
    var suffix = ""
    var fields = ""

    static let all: [RefusedRequest] = [
        RefusedRequest(status: 400, fields: "Host: a\r\nHost: b\r\n"),
        RefusedRequest(status: 411, fields: "Transfer-Encoding: chunked\r\n"),
        RefusedRequest(status: 413, fields: "Content-Length: 5\r\n"),
        RefusedRequest(status: 414, suffix: "?" + String(repeating: "a", count: 9000)),
        RefusedRequest(status: 417, fields: "Expect: more\r\n"),
        RefusedRequest(status: 431, fields: (0..<200).map { "X-\($0): a\r\n" }.joined()),
        RefusedRequest(status: 501, fields: "Transfer-Encoding: pigeon\r\n"),
        RefusedRequest(status: 505, suffix: " HTTP/2.0"),
    ]
}
