import TestSupport
import Testing

/// What is answered before routes hear of it.
extension Walk {
    /// Requests that are refused, each for every operation that describes it so.
    func refused() async throws {
        for request in RefusedRequest.all {
            for operation in operations(with: request.status) {
                let target = operation.path + request.suffix
                try await ask(operation, target, fields: request.fields, expecting: request.status)
            }
        }
    }

    /// Requests whose heads do not end, all at once, since it takes a while.
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

    /// Requests while others, which are under way, have all connections.
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
