internal import Testing
internal import TestSupport
internal import Text

@testable internal import Networking

@Suite(.timeLimit(.minutes(1)))
struct CollectionFetcherTests {
    private func make(
        _ client: HTTPClient, _ upstream: ScriptedUpstream, _ authentication: (any Authentication)? = nil
    ) -> FetchedCollection {
        makeCollection(client, upstream.url, authentication: authentication, headers: [HTTPHeader("X-A", "1")])
    }

    @Test func `asks by its template, whose headers win, and gives back the page as it came`() async throws {
        try await withClient(against: answering { $0.respond(status: "202 X", body: "[1]") }) { client, upstream in
            let page = try await make(client, upstream).fetch(adding: [HTTPHeader("x-a", "2"), HTTPHeader("X-B", "2")])
            #expect(page.status == 202)
            #expect(page.body == Array("[1]".utf8))
            let head = try #require(upstream.requestHeads.first)
            #expect(head.hasPrefix("GET /products HTTP/1.1\r\n"))
            #expect(head.contains("X-A: 1\r\n"))
            #expect(!head.contains("x-a: 2\r\n"))
            #expect(head.contains("X-B: 2\r\n"))
        }
    }

    @Test func `a fetch that is cancelled while it waits for its credentials sends nothing`() async throws {
        let authentication = GatedAuthentication()
        try await withClient(against: answering { $0.respond() }) { client, upstream in
            let collection = make(client, upstream, authentication)
            let task = Task { try await collection.fetch() }
            await authentication.asked.wait { $0 == 1 }
            task.cancel()
            authentication.isOpen.update { $0 = true }
            await #expect(throws: CancellationError.self) { _ = try await task.value }
            #expect(upstream.requestHeads == [])
        }
    }

    @Test func `cancelling the caller's task cancels the fetch`() async throws {
        try await withClient(against: silent) { client, upstream in
            let collection = make(client, upstream)
            let task = Task { try await collection.fetch() }
            await upstream.wait(requests: 1)
            task.cancel()
            await #expect(throws: CancellationError.self) { _ = try await task.value }
            await upstream.wait(for: .closedByClient(connection: 0))
        }
    }

    @Test(arguments: [
        ("http://shop.example/b", "http://shop.example/a", true), ("/b", "https://cdn.example/a", true),
        ("https://cdn.example/b", "http://shop.example/a", true),
        ("http://shop.example/b", "https://cdn.example/a", false),
        ("http://cdn.example/b", "http://shop.example/a", false),
        ("https://shop.example/b", "http://shop.example/a", false),
        ("http://shop.example:81/b", "http://shop.example/a", false),
        ("https://cdn.example.evil/b", "http://shop.example/a", false),
    ])
    func `a link is followed within its origin and to origins that the template names, but not from https to http`(
        link: String, page: String, isFollowed: Bool
    ) async throws {
        try await withClient { client in
            let collection = makeCollection(client, "http://shop.example", redirectOrigins: ["https://cdn.example"])
            let current = try #require(WebAddress(page))
            #expect(collection.resource.follows(try #require(current.resolving(link)), from: current) == isFollowed)
        }
    }

    @Test func `pages on an origin that the template names are asked for with all headers`() async throws {
        let other = ScriptedUpstream(answering { $0.respond(body: #"[{"id":"2"}]"#) })
        defer { other.stop() }
        let script = answering { [url = other.url] in
            $0.respond(headers: "Link: <\(url)p2>; rel=next\r\n", body: #"[{"id":"1"}]"#)
        }
        try await withClient(against: script) { client, upstream in
            let upstreams = makeCollection(
                client, upstream.url, headers: [HTTPHeader("X-A", "1")], redirectOrigins: [other.url])
            var collection = upstreams.pages(LinkPagination())
            var count = 0
            while let page = try await collection.fetchNext() { count += page.items.count }
            #expect(count == 2)
            #expect(other.requestHeads.allSatisfy { $0.contains("X-A: 1\r\n") })
        }
    }
}

/// Credentials that are there as soon as a test says so.
struct GatedAuthentication: Authentication {
    /// How often they were asked for.
    let asked = Observed(0)
    let isOpen = Observed(false)
    var secrets: [Secret] { [] }

    func headers() async -> [HTTPHeader] {
        asked.update { $0 += 1 }
        await isOpen.wait { $0 }
        return []
    }
}
