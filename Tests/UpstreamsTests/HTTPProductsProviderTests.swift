@testable internal import Decoding
internal import Concurrency
internal import FoundationEssentials
internal import Networking
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Upstreams

@Suite(.timeLimit(.minutes(1)))
struct HTTPProductsProviderTests {
    @Test func `a body equal to the last one moves the time and is not decoded again`() async throws {
        let wall = ManualWallClock()
        let decoder = CountingDecoder()
        try await withClient(against: answering { $0.respond(body: makeBody()) }) { client, upstream async throws in
            let provider = makeHTTPProvider(
                client, url: upstream.url, decoder: decoder, wallClock: wall.wallClock)
            let first = try await provider.ask()
            wall.advance(by: .seconds(60))
            let second = try await provider.ask()
            #expect(decoder.count == 1)
            #expect(first.snapshot.catalogue === second.snapshot.catalogue)
            #expect(second.snapshot.fetchedAt == first.snapshot.fetchedAt + 60)
            #expect([first.steps, second.steps] == [["http: fetched"], ["http: unchanged"]])
            #expect(second.snapshot.origin == .network)
        }
    }

    @Test func `a body that changes is decoded, also when it changes back`() async throws {
        let decoder = CountingDecoder()
        let turns = Turns(["Mug", "Cup", "Mug"])
        try await withClient(against: answering { $0.respond(body: makeBody(turns.next())) }) {
            client, upstream async throws in
            let provider = makeHTTPProvider(client, url: upstream.url, decoder: decoder)
            for name in ["Mug", "Cup", "Mug"] {
                #expect(try await provider.ask().snapshot.revision == makeCatalogue(name).revision)
            }
            #expect(decoder.count == 3)
        }
    }

    @Test func `the upstream's validator is sent back, and its 304 stands for the last body`() async throws {
        let decoder = CountingDecoder()
        let wall = ManualWallClock()
        try await withClient(against: Self.validating(tag: { "\"v1\"" })) { client, upstream async throws in
            let provider = makeHTTPProvider(
                client, url: upstream.url, decoder: decoder, wallClock: wall.wallClock)
            let first = try await provider.ask()
            wall.advance(by: .seconds(60))
            let second = try await provider.ask()
            #expect(second.snapshot.catalogue === first.snapshot.catalogue)
            #expect(second.snapshot.fetchedAt == wall.now)
            #expect(second.steps == ["http: unchanged"])
            #expect(decoder.count == 1)
            #expect(upstream.requestHeads.map(Self.validator) == [nil, "\"v1\""])
        }
    }

    @Test func `a new validator for the same body is used from then on`() async throws {
        let turns = Turns(["\"v1\"", "\"v2\"", "\"v2\""])
        try await withClient(against: Self.validating(tag: { turns.next() })) { client, upstream async throws in
            let provider = makeHTTPProvider(client, url: upstream.url)
            for _ in 0..<3 { _ = try await provider.ask() }
            #expect(upstream.requestHeads.map(Self.validator) == [nil, "\"v1\"", "\"v2\""])
        }
    }

    @Test func `after a failure the validator is left out once, since it may have caused the failure`() async throws {
        let turns = Turns(["200", "503", "200", "304"])
        let script = answering { connection in
            switch turns.next() {
            case "200": connection.respond(headers: "ETag: \"v1\"\r\n", body: makeBody())
            case "503": connection.respond(status: "503 Service Unavailable", headers: "ETag: \"no\"\r\n")
            default: connection.write("HTTP/1.1 304 Not Modified\r\n\r\n")
            }
        }
        try await withClient(against: script) { client, upstream async throws in
            let provider = makeHTTPProvider(client, url: upstream.url)
            let first = try await provider.ask()
            #expect(try await provider.failure() == .upstreamStatus(503, retryAfter: nil))
            for _ in 0..<2 { #expect(try await provider.ask().snapshot.catalogue === first.snapshot.catalogue) }
            #expect(upstream.requestHeads.map(Self.validator) == [nil, "\"v1\"", nil, "\"v1\""])
        }
    }

    @Test func `a 304 that nothing was asked for by does not confirm the last body`() async throws {
        let turns = Turns(["200", "304"])
        let script = answering { connection in
            if turns.next() == "200" {
                connection.respond(body: makeBody())
            } else {
                connection.write("HTTP/1.1 304 Not Modified\r\n\r\n")
            }
        }
        try await withClient(against: script) { client, upstream async throws in
            let provider = makeHTTPProvider(client, url: upstream.url)
            _ = try await provider.ask()
            #expect(try await provider.failure() == .upstreamStatus(304, retryAfter: nil))
        }
    }

    @Test func `a body that was no catalogue does not count as the last one`() async throws {
        let decoder = CountingDecoder()
        try await withClient(against: answering { $0.respond(body: "[{}]") }) { client, upstream async throws in
            let provider = makeHTTPProvider(client, url: upstream.url, decoder: decoder)
            for _ in 0..<2 { #expect(try await provider.failure()?.token == "malformed") }
            #expect(decoder.count == 2)
        }
    }

    /// An upstream that knows its own validators.
    private static func validating(
        tag: @escaping @Sendable () -> String
    ) -> @Sendable (UpstreamConnection) -> Void {
        { connection in
            while let head = connection.readRequest() {
                let tag = tag()
                if validator(in: head) == tag {
                    connection.write("HTTP/1.1 304 Not Modified\r\nETag: \(tag)\r\n\r\n")
                } else {
                    connection.respond(headers: "ETag: \(tag)\r\n", body: makeBody())
                }
            }
        }
    }

    /// What a request takes for the last state.
    private static func validator(in head: String) -> String? {
        let line = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("if-none-match:") }
        return line.map { String($0.drop { $0 != ":" }.dropFirst(2)) }
    }

    /// Values that are given out one after the other; the last one stays.
    private final class Turns: Sendable {
        private let left: Shared<[String]>

        init(_ values: [String]) {
            left = Shared(values)
        }

        func next() -> String {
            left.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
        }
    }
}
