internal import Concurrency
internal import Configuration
internal import Logging
internal import Networking
internal import Products
internal import Providers
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Upstreams

/// `type: http` over an upstream with pages.
@Suite(.timeLimit(.minutes(1)))
struct HTTPPagesTests {
    private let wall = ManualWallClock()
    private let log = LogRecorder()

    private func memory(above provider: any ProductsProvider) -> MemoryProductsProviderDecorator {
        let clock = ManualClock()
        let variants = MemoryVariants(
            division: VariantKey(), policy: FreshnessPolicy(), node: "memory", uptime: Uptime(of: clock))
        return MemoryProductsProviderDecorator(
            upstream: provider, variants: variants, wallClock: wall.wallClock, clock: clock, logger: log.logger)
    }

    private func provider(
        _ client: HTTPClient, _ upstream: ScriptedUpstream, _ fields: String = PagedShop.pagination
    ) throws -> any ProductsProvider {
        let resources = makeResources(log, wall.wallClock, client: client)
        let yaml = """
            { type: http, timeout: 20s, connect_timeout: 20s, \
            request: { base_url: "\(upstream.url)", path: /products }, \(fields) }
            """
        return try makeProvider(yaml, resources: resources).provider
    }

    @Test func `all pages are one catalogue, which is not decoded again while no page changes`() async throws {
        let shop = PagedShop()
        try await withClient(against: shop.script) { client, upstream async throws in
            let provider = try provider(client, upstream)
            let first = try await provider.ask()
            #expect(first.snapshot.revision == makeCatalogue(count: 5).revision)
            #expect(first.steps == ["p: fetched"])
            wall.advance(by: .seconds(60))
            let second = try await provider.ask()
            #expect(second.snapshot.catalogue === first.snapshot.catalogue)
            #expect(second.snapshot.fetchedAt == wall.now)
            #expect(second.steps == ["p: unchanged"])
            shop.change { $0.products = makeProducts("Mug", count: 4) + [makeProduct(id: "p4", name: "Cup")] }
            let third = try await provider.ask()
            #expect(third.snapshot.products.last?.name == "Cup")
            #expect(third.steps == ["p: fetched"])
            #expect(upstream.requestHeads.count == 9)
            #expect(upstream.requestHeads.allSatisfy { !$0.contains("If-None-Match") })
        }
    }

    @Test func `with full_every a refresh sends only what changed, and the catalogue has all`() async throws {
        let items = Shared<[(id: String, at: Int)]>([("a", 1), ("b", 2), ("c", 3)])
        let script: @Sendable (UpstreamConnection) -> Void = { connection in
            while let head = connection.readRequest() {
                let target = head.split(separator: " ")[1]
                let since = target.split(separator: "since=").dropFirst().first.flatMap { Int($0) } ?? 0
                let texts = items.withLock { $0 }.filter { $0.at > since }.map { item in
                    """
                    {"type":"physical","id":"\(item.id)","name":"\(item.at)","price":{"amount":1,"currency":"EUR"},\
                    "at":\(item.at)}
                    """
                }
                connection.respond(
                    headers: "Content-Type: application/json\r\n", body: "[\(texts.joined(separator: ","))]")
            }
        }
        try await withClient(against: script) { client, upstream async throws in
            let provider = try provider(
                client, upstream, "pagination: { type: since, parameter: since, field: at, full_every: 1h }")
            #expect(try await provider.ask().snapshot.products.map(\.name) == ["1", "2", "3"])
            let whole = upstream.requestHeads.count
            let same = try await provider.ask()
            #expect(same.steps == ["p: unchanged"])
            items.withLock { $0 = [("b", 2), ("c", 3), ("a", 4)] }
            let changed = try await provider.ask()
            #expect(changed.snapshot.products.map(\.name) == ["2", "3", "4"])
            #expect(changed.steps == ["p: fetched"])
            #expect(upstream.requestHeads.dropFirst(whole).allSatisfy { $0.contains("?since=") })
        }
    }

    @Test func `pages of different states are read once more at once, which may do`() async throws {
        let shop = PagedShop()
        shop.change { $0.wrongTotals = [1: 6] }
        try await withClient(against: shop.script) { client, upstream async throws in
            let answer = try await provider(client, upstream).ask()
            #expect(answer.snapshot.products.count == 5)
            #expect(upstream.requestHeads.count == 2 + 3)
        }
    }

    @Test func `pages that do not fit together twice are refused, and the last good catalogue stays`() async throws {
        let shop = PagedShop()
        try await withClient(against: shop.script) { client, upstream async throws in
            let provider = try provider(client, upstream)
            let memory = memory(above: provider)
            let before = try await memory.ask()
            shop.change { $0.bodies = [3: "[]"] }
            let detail = "page 3 is the last, and 4 items have come of a total of 5"
            let failure = ProductsFailure.refused(.inconsistentPages(detail: detail))
            #expect(try await provider.failure() == failure)
            #expect(failure.token == "inconsistent-pages")
            #expect("\(failure)" == "catalogue refused: its pages do not fit together: \(detail)")
            #expect(upstream.requestHeads.count == 3 + 3 + 3)
            wall.advance(by: .seconds(100))
            let after = try await memory.ask()
            #expect(after.snapshot.revision == before.snapshot.revision)
            #expect(after.failure == failure)
        }
    }

    @Test
    func `an id that is on the same two pages when they are read again has not moved, but is there twice`() async throws
    {
        let shop = PagedShop()
        shop.change { $0.shift = 1 }
        try await withClient(against: shop.script) { client, upstream async throws in
            let failure = try await provider(client, upstream).failure()
            #expect(failure == .refused(.duplicateIDOnPages("p1", first: 1, second: 2)))
            #expect(upstream.requestHeads.count == 2 + 2)
        }
    }

    @Test func `an id that is on other pages when they are read again was moved`() async throws {
        let pages = Shared(["ab", "bc", "cd", "de"])
        let script = answering { connection in
            let page = pages.withLock { $0.removeFirst() }
            let items = page.map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
            connection.respond(headers: "X-Total: 4\r\n", body: "[\(items)]")
        }
        try await withClient(against: script) { client, upstream async throws in
            let failure = try await provider(client, upstream).failure()
            let detail = "the item \"d\" is on page 1 and again on page 2"
            #expect(failure == .refused(.inconsistentPages(detail: detail)))
        }
    }

    @Test func `an id is recognised on another page in any of the places where it can be`() async throws {
        let pages = Shared(["ab", "bc", "ab", "bc"])
        let script = answering { connection in
            let page = pages.withLock { $0.removeFirst() }
            let items = page.map { #"{"key":null,"uid":"\#($0)"}"# }.joined(separator: ",")
            connection.respond(headers: "X-Total: 4\r\n", body: "[\(items)]")
        }
        try await withClient(against: script) { client, upstream async throws in
            let decode = ", decode: { type: digital, fields: { id: { path: [key, uid] } } }"
            let failure = try await provider(client, upstream, PagedShop.pagination + decode).failure()
            #expect(failure == .refused(.duplicateIDOnPages("b", first: 1, second: 2)))
        }
    }

    @Test func `the index in an item's error counts through all pages`() async throws {
        let shop = PagedShop()
        shop.change { $0.badItem = 3 }
        try await withClient(against: shop.script) { client, upstream async throws in
            let failure = try await provider(client, upstream).failure()
            #expect(failure == .malformed(detail: "[3].name: missing"))
        }
    }

    @Test func `items that may be left out are told of once a refresh that brings something new`() async throws {
        let shop = PagedShop()
        shop.change { $0.badItem = 3 }
        try await withClient(against: shop.script) { client, upstream async throws in
            let provider = try provider(client, upstream, PagedShop.pagination + ", decode: { on_bad_item: skip }")
            for _ in 0..<3 { #expect(try await provider.ask().snapshot.products.count == 4) }
            let lines = log.seenLines
            #expect(lines.map(\.message) == ["items omitted from the catalogue"])
            #expect(lines.first?.metadata["items"] == "1")
            #expect(lines.first?.metadata["first"]?.contains("[3].name") == true)
            #expect(lines.first?.metadata["provider"] == "p")
        }
    }

    @Test func `items that may be left out of a catalogue without pages are told of too`() async throws {
        let body = makeBody(count: 2).dropLast() + Array(",{}]".utf8)
        try await withClient(against: answering { $0.respond(body: Array(body)) }) { client, upstream async throws in
            let provider = try provider(client, upstream, "decode: { on_bad_item: skip }")
            for _ in 0..<2 { #expect(try await provider.ask().snapshot.products.count == 2) }
            #expect(log.seen == ["warning: items omitted from the catalogue"])
        }
    }

    struct BadDay: Sendable {
        let failure: ProductsFailure
        let change: @Sendable (inout PagedShop.State) -> Void
    }

    static let badDays: [BadDay] = [
        BadDay(failure: .upstreamStatus(500, retryAfter: nil)) { $0.statuses = [3: "500 Oh"] },
        BadDay(failure: .upstreamStatus(429, retryAfter: .seconds(9))) {
            $0.statuses = [2: "429 Slow\r\nRetry-After: 9"]
        },
        BadDay(
            failure: .malformed(
                detail: "page 1: expected an array at the top level or \"products\", found an object")
        ) { $0.bodies = [1: "{\"items\":[]}"] },
    ]

    @Test(arguments: badDays)
    func `an upstream whose pages cannot be had`(_ badDay: BadDay) async throws {
        let shop = PagedShop()
        try await withClient(against: shop.script) { client, upstream async throws in
            let provider = try provider(client, upstream)
            let before = try await provider.ask()
            shop.change(badDay.change)
            #expect(try await provider.failure() == badDay.failure)
            shop.change { $0 = PagedShop.State() }
            #expect(try await provider.ask().snapshot.catalogue === before.snapshot.catalogue)
        }
    }

    @Test(arguments: [(PagedShop.Death.truncated, UnreachableReason.truncated), (.reset, .reset)])
    func `an upstream that dies in the middle of page 2 is unreachable, and the last good catalogue stays`(
        death: PagedShop.Death, reason: UnreachableReason
    ) async throws {
        let shop = PagedShop()
        try await withClient(against: shop.script) { client, upstream async throws in
            let memory = memory(above: try provider(client, upstream))
            let before = try await memory.ask()
            shop.change { $0.death = death }
            wall.advance(by: .seconds(100))
            let after = try await memory.ask()
            #expect(after.snapshot.catalogue === before.snapshot.catalogue)
            guard case .unreachable(reason, _, _) = after.failure else {
                Issue.record("\(String(describing: after.failure))")
                return
            }
        }
    }

    @Test func `what max_body allows is for all pages together`() async throws {
        let shop = PagedShop()
        let limit = makeBody(count: 5).count - 1
        try await withClient(against: shop.script) { client, upstream async throws in
            let provider = try provider(client, upstream, PagedShop.pagination + ", max_body: \(limit)")
            #expect(try await provider.failure() == .tooLarge(limit: limit))
        }
    }
}
