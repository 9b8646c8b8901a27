internal import EventLoop
internal import TestSupport
internal import Testing

@testable internal import Networking

@Suite(.timeLimit(.minutes(2)))
struct HTTPClientLifetimeTests {
    @Test func `cancelling the task closes the upstream's connection and throws CancellationError`() async throws {
        try await withClient(against: silent) { client, upstream in
            let request = HTTPClientRequest(url: upstream.url, limits: wide)
            let task = Task { try await client.send(request) }
            await upstream.wait(requests: 1)
            task.cancel()
            await #expect(throws: CancellationError.self) { _ = try await task.value }
            await upstream.wait(for: .closedByClient(connection: 0))
        }
    }

    @Test func `a task that is cancelled already asks nobody`() async throws {
        try await withClient(against: silent) { client, upstream in
            let request = HTTPClientRequest(url: upstream.url, limits: wide)
            let task = Task {
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                return try await client.send(request)
            }
            await #expect(throws: CancellationError.self) { _ = try await task.value }
            #expect(upstream.acceptedCount == 0)
        }
    }

    @Test func `cancelling one of many leaves the others alone`() async throws {
        let script: @Sendable (UpstreamConnection) -> Void = { connection in
            while let head = connection.readRequest() {
                if head.hasPrefix("GET /silent") { return connection.waitForClose() }
                connection.respond(body: "ok")
            }
        }
        try await withClient(against: script) { client, upstream in
            let doomed = (0..<20).map { _ in Task { try await client.get(upstream.url + "silent") } }
            let others = (0..<20).map { _ in Task { try await client.get(upstream.url) } }
            for task in doomed { task.cancel() }
            for task in doomed { await #expect(throws: CancellationError.self) { _ = try await task.value } }
            for task in others {
                let response = try await task.value
                #expect(response.status == 200)
            }
        }
    }

    @Test func `shutting down ends what is under way, and what comes later`() async throws {
        try await withClient(against: silent) { client, upstream in
            let request = HTTPClientRequest(url: upstream.url, limits: wide)
            let task = Task { try await errorToken(client, request) }
            await upstream.wait(requests: 1)
            await client.shutdown()
            let ended = try await task.value
            #expect(ended == "shut-down")
            await upstream.wait(for: .closedByClient(connection: 0))
            let later = try await errorToken(client, request)
            #expect(later == "shut-down")
            await client.shutdown()
        }
    }

    @Test func `shutting down closes the kept connections`() async throws {
        let script: @Sendable (UpstreamConnection) -> Void = { connection in
            guard connection.readRequest() != nil else { return }
            connection.respond(body: "ok")
            connection.waitForClose()
        }
        try await withClient(against: script) { client, upstream in
            _ = try await client.get(upstream.url)
            await client.shutdown()
            await upstream.wait(for: .closedByClient(connection: 0))
        }
    }

    @Test func `a caller on a loop is answered on that loop`() async throws {
        let upstream = ScriptedUpstream(answering { $0.respond() })
        defer { upstream.stop() }
        let group = try EventLoopGroup(count: 2)
        let client = HTTPClient(loops: group.loops, userAgent: UserAgent(version: "1"))
        for loop in group.loops {
            let stayed = try await Task(executorPreference: loop) {
                for _ in 0..<3 { _ = try await client.get(upstream.url) }
                return loop.isCurrent
            }.value
            #expect(stayed)
        }
        // One kept connection for each loop shows that each was served by its own.
        #expect(upstream.acceptedCount == 2)
        await client.shutdown()
        await group.shutdown()
    }

    @Test func `connecting only sends nothing and leaves no connection open`() async throws {
        try await withClient(against: { $0.waitForClose() }) { client, upstream in
            for index in 0..<5 {
                try await client.connect(to: "127.0.0.1", port: upstream.port, timeout: .seconds(20))
                await upstream.wait(for: .closedByClient(connection: index))
            }
            #expect(upstream.acceptedCount == 5)
            #expect(upstream.requestHeads.isEmpty)
        }
    }

    @Test func `after many exchanges of every kind no connection is left open`() async throws {
        let script: @Sendable (UpstreamConnection) -> Void = { connection in
            while let head = connection.readRequest() {
                if head.hasPrefix("GET /cut") {
                    return connection.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")
                }
                if head.hasPrefix("GET /silent") { break }
                connection.respond(body: "ok")
            }
            connection.waitForClose()
        }
        try await withClient(against: script) { client, upstream in
            for round in 0..<10 {
                _ = try await client.get(upstream.url)
                _ = try await errorToken(client, HTTPClientRequest(url: upstream.url + "cut", limits: wide))
                let silent = Task {
                    try await client.get(upstream.url + "silent")
                }
                await upstream.wait { events in
                    events.count { if case .request(_, let head) = $0 { head.hasPrefix("GET /silent") } else { false } }
                        > round
                }
                silent.cancel()
                _ = try? await silent.value
            }
            await client.shutdown()
            await upstream.wait { events in
                let ended = events.count { if case .closedByClient = $0 { true } else { false } }
                return ended >= 10
            }
            await upstream.waitUntilIdle()
        }
    }
}
