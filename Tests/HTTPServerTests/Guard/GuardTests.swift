import Concurrency
import HTTPServer
import TestSupport
import Testing

@Suite struct GuardTests {
    /// Sends the input in pieces and gives the answers and whether the connection ended then.
    private static func ask(
        _ port: UInt16, _ expected: GuardCase, cut places: [Int] = [], _ transport: Transport = .plain
    ) throws -> Answers {
        let client = try RawClient(port: port, tls: transport.offer)
        var sent = 0
        for place in places + [expected.input.count] {
            do {
                try client.send([UInt8](expected.input[sent..<place]))
            } catch RawClient.Failure.failed {
                break
            }
            if place < expected.input.count { try BlockingPause.oneMillisecond() }
            sent = place
        }
        return try Answers(client, to: expected)
    }

    private func check(_ answers: Answers, _ expected: GuardCase) {
        #expect(answers.responses.map(\.status) == expected.statuses)
        #expect(answers.isClosed == expected.closes)
        for response in answers.responses where response.status != 200 {
            #expect(response["Content-Type"] == "application/problem+json")
            #expect(response["Connection"] == "close")
        }
    }

    @Test(arguments: GuardCase.all, Way.all)
    func `answers what is in order, refuses the rest once, and closes`(_ expected: GuardCase, by way: Way) async throws
    {
        let targets = Mutex<[String]>([])
        let handler = way.manner.handler { request in
            targets.withLock { $0.append(request.target) }
            return HTTPResponse(status: .ok, body: HTTPBody(text: "served"))
        }
        try await withServer(
            options: way.manner.options, certificate: try way.transport.certificate, handler
        ) { server, port in
            let answers = try await onThread { try Self.ask(port, expected, way.transport) }
            check(answers, expected)
            #expect(targets.withLock { $0 }.allSatisfy { !$0.contains("smuggled") })
            let served = expected.statuses.count { $0 == 200 } + (expected.closes ? 0 : 1)
            #expect(targets.withLock { $0.count } == served)
            let refusals = await server.refusalCounts()
            #expect(refusals.values.reduce(0, +) == expected.statuses.count { $0 != 200 })
            #expect(refusals[.unparsed] == nil && refusals[.disagreement] == nil)
            try await eventually { await server.connectionCount() == 0 }
        }
    }

    /// Long ones are left out: they differ from others in nothing but their length.
    private static let short = GuardCase.all.filter { $0.input.count < 120 }

    @Test(arguments: short, Manner.allCases)
    func `gives the same answers wherever the input is cut in two`(_ expected: GuardCase, in manner: Manner)
        async throws
    {
        try await withServer(options: manner.options, manner.handler { _ in HTTPResponse(status: .ok) }) { _, port in
            let all = try await onThread {
                try (1..<expected.input.count).map { try Self.ask(port, expected, cut: [$0]) }
            }
            for answers in all { check(answers, expected) }
        }
    }

    @Test(arguments: short, Way.all.filter { $0.transport != .tls12 })
    func `gives the same answers to one byte at a time`(_ expected: GuardCase, by way: Way) async throws {
        let handler = way.manner.handler { _ in HTTPResponse(status: .ok) }
        try await withServer(
            options: way.manner.options, certificate: try way.transport.certificate, handler
        ) { _, port in
            let answers = try await onThread {
                try Self.ask(port, expected, cut: Array(1..<expected.input.count), way.transport)
            }
            check(answers, expected)
        }
    }

    @Test func `counts refusals by reason and keeps them after the stop`() async throws {
        let kept = Mutex<HTTPServer?>(nil)
        try await withServer(loops: 2, echo) { server, port in
            _ = try await onThread {
                for _ in 0..<3 { _ = try Self.ask(port, .refused("nonsense", "nonsense\r\n\r\n", 400)) }
                _ = try Self.ask(port, .refused("no host", "GET / HTTP/1.1\r\n\r\n", 400))
                _ = try Self.ask(port, .served("a request", GuardCase.get("/")))
            }
            #expect(await server.refusalCounts() == [.malformed: 3, .host: 1])
            kept.withLock { $0 = server }
        }
        #expect(await kept.withLock { $0 }?.refusalCounts() == [.malformed: 3, .host: 1])
    }

    @Test func `refuses behind an answer only after it`() async throws {
        let gate = Gate()
        let handler = handler { _ in
            await gate.pass()
            return HTTPResponse(status: .ok, body: HTTPBody(text: "late"))
        }
        try await withServer(handler) { server, port in
            let client = try await withClient(port) { client in
                try client.send(GuardCase.get("/") + "nonsense\r\n\r\n" + GuardCase.get("/smuggled"))
                while gate.arrived == 0 { try BlockingPause.oneMillisecond() }
                return client
            }
            #expect(await server.refusalCounts().isEmpty)
            gate.open()
            let (statuses, isClosed) = try await onThread {
                (try (0..<2).map { _ in try client.receive().status }, try client.isClosedByServer())
            }
            #expect(statuses == [200, 400])
            #expect(isClosed)
        }
    }
}
