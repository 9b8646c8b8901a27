internal import JSON
internal import TestSupport
internal import Text
internal import Testing

@testable internal import Networking

@Suite(.timeLimit(.minutes(1)))
struct PaginatedCollectionTests {
    @Test func `tells the current page, the number of pages, and whether there are more`() async throws {
        let script = paged { target in
            let page = number("page", in: target) ?? 0
            return .items(page..<page + 1, headers: "X-Pages: 2\r\nX-Total: 2\r\n")
        }
        try await withClient(against: script) { client, upstream async throws in
            let pagination = NumberedPagination(pages: .header("X-Pages"), total: .header("X-Total"))
            var collection = makeCollection(client, upstream.url).pages(pagination)
            #expect(collection.currentPage == 0)
            #expect(collection.pageCount == nil)
            #expect(collection.hasMore)
            let first = try await collection.fetchNext()
            #expect(first?.number == 1)
            #expect(first?.items.count == 1)
            #expect(collection.currentPage == 1)
            #expect(collection.pageCount == 2)
            #expect(collection.progress.extent == CollectionExtent(total: 2, pages: 2))
            #expect(collection.hasMore)
            let second = try await collection.fetchNext()
            #expect(second?.number == 2)
            #expect(!collection.hasMore)
        }
    }

    @Test func `items without an id are not compared, and one page may hold an id twice`() async throws {
        let script = paged { target in
            PageAnswer(body: target.hasSuffix("=1") ? #"[{"id":1},{"id":1},{}]"# : #"[{},{"sku":1}]"#)
        }
        try await withClient(against: script) { client, upstream async throws in
            var collection = makeCollection(client, upstream.url).pages(NumberedPagination())
            #expect(try await collection.fetchNext()?.items.count == 3)
            #expect(try await collection.fetchNext()?.items.count == 2)
        }
    }

    @Test func `being cancelled in the middle of page 2 closes the connection`() async throws {
        let script: @Sendable (UpstreamConnection) -> Void = { connection in
            guard connection.readRequest() != nil else { return }
            connection.respond(body: PageAnswer.list(0..<1))
            guard connection.readRequest() != nil else { return }
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n[{\"id\":1},")
            connection.waitForClose()
        }
        try await withClient(against: script) { client, upstream async throws in
            let whole = makeCollection(client, upstream.url)
            let reading = Task {
                var collection = whole.pages(NumberedPagination())
                return try await collection.readAll()
            }
            await upstream.wait(requests: 2)
            reading.cancel()
            await #expect(throws: CancellationError.self) { try await reading.value }
            await upstream.wait(for: .closedByClient(connection: 0))
        }
    }

    @Test func `credentials are sent with every page, and asked for anew before each`() async throws {
        let script = paged { target in
            let page = number("page", in: target) ?? 0
            return .items(page..<page + 1, headers: "X-Pages: 3\r\n")
        }
        try await withClient(against: script) { client, upstream async throws in
            var collection = makeCollection(client, upstream.url, authentication: CountingAuthentication())
                .pages(NumberedPagination(pages: .header("X-Pages")))
            _ = try await collection.readAll()
            let lines = upstream.requestHeads.flatMap { $0.split(separator: "\r\n") }
            #expect(lines.filter { $0.hasPrefix("X-Turn: ") } == ["X-Turn: 1", "X-Turn: 2", "X-Turn: 3"])
        }
    }

    /// Another secret for every request.
    private final class CountingAuthentication: Authentication {
        private let turns = Shared(0)
        let secrets: [Secret] = []

        func headers() async -> [HTTPHeader] {
            let turn = turns.withLock { turns in
                turns += 1
                return turns
            }
            return [HTTPHeader("X-Turn", sensitive: "\(turn)")]
        }
    }
}
