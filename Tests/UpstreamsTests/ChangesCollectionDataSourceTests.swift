internal import Concurrency
internal import Hashing
internal import JSON
internal import Networking
internal import Products
internal import TestSupport
internal import Testing

@testable internal import Upstreams

/// Readings of changes against an upstream that sorts by the time of an item's last change.
@Suite(.timeLimit(.minutes(1)))
struct ChangesCollectionDataSourceTests {
    private let shop = DatedShop()
    private let clock = ManualClock()

    private func source(total: Bool = false) -> ChangesCollectionDataSource {
        ChangesCollectionDataSource(
            shop.collection, fetcher: shop, pagination: shop.pagination(total: total), fullEvery: .seconds(3600),
            clock: clock)
    }

    @Test func `between readings of everything only changes are asked for, and the items are all`() async throws {
        let source = source()
        shop.size.withLock { $0 = 4 }
        shop.set([("a", 1), ("b", 2), ("c", 3), ("d", 4), ("e", 4)])
        let first = try await source.content()
        #expect(first.ids == ["a1", "b2", "c3", "d4", "e4"])
        shop.requests.withLock { $0 = [] }
        let same = try await source.content()
        #expect(same.ids == first.ids && same.digest == first.digest)
        #expect(shop.requests.withLock { $0 } == ["3", "4"])
        shop.set([("b", 2), ("d", 4), ("e", 4), ("f", 4), ("a", 5), ("g", 6)])
        let changed = try await source.content()
        #expect(changed.ids == ["b2", "c3", "d4", "e4", "f4", "a5", "g6"])
        #expect(changed.digest != first.digest)
        #expect(try await source.content().digest == changed.digest)
        #expect(!shop.requests.withLock { $0 }.contains(nil))
        clock.advance(by: .seconds(3600))
        #expect(try await source.content().ids == ["b2", "d4", "e4", "f4", "a5", "g6"])
    }

    @Test func `an item that is gone is noticed at once where the upstream states the total`() async throws {
        let source = source(total: true)
        shop.set([("a", 1), ("b", 2), ("c", 3)])
        #expect(try await source.content().ids == ["a1", "b2", "c3"])
        shop.set([("a", 1), ("c", 3), ("d", 4)])
        #expect(try await source.content().ids == ["a1", "c3", "d4"])
        shop.requests.withLock { $0 = [] }
        shop.set([("a", 1), ("d", 4)])
        #expect(try await source.content().ids == ["a1", "d4"])
        #expect(shop.requests.withLock { $0 }.contains(nil))
    }

    @Test func `without the last items an upstream that gives the given one again is read as a whole`() async throws {
        let source = source()
        shop.isInclusive.withLock { $0 = true }
        shop.set([("a", 1), ("b", 2), ("c", 3)])
        _ = try await source.content()
        shop.set([("a", 1), ("b", 2)])
        #expect(try await source.content().ids == ["a1", "b2"])
    }

    @Test func `a failed reading of changes leaves the items, and the next has all changes`() async throws {
        let source = source()
        shop.set([("a", 1), ("b", 2), ("c", 3)])
        _ = try await source.content()
        shop.set([("a", 1), ("b", 2), ("c", 4), ("d", 5), ("e", 6)])
        shop.failing.withLock { $0 = 2 }
        await #expect(throws: ProductsFailure.self) { try await source.content() }
        shop.requests.withLock { $0 = [] }
        #expect(try await source.content().ids == ["a1", "b2", "c4", "d5", "e6"])
        #expect(shop.requests.withLock { $0 }.first == "2")
    }

    @Test func `a refresh that revalidates reads everything`() async throws {
        let source = source()
        shop.set([("a", 1), ("b", 2), ("c", 3)])
        _ = try await source.content()
        shop.set([("a", 1), ("c", 3)])
        #expect(try await source.content().ids == ["a1", "b2", "c3"])
        #expect(try await source.content([HTTPHeader("Cache-Control", "no-cache")]).ids == ["a1", "c3"])
    }

    @Test(arguments: [
        // All values are equal, an item has no id, and one has no value.
        #"[{"id":"a","at":1},{"id":"b","at":1}]"#, #"[{"id":"a","at":1},{"at":2}]"#,
        #"[{"id":"a"},{"id":"b","at":2},{"id":"c","at":3}]"#,
    ])
    func `items whose changes cannot be asked for are not kept`(body: String) throws {
        let items = try #require(try JSONParser().parse(Array(body.utf8)).array)
        let field = shop.pagination(total: false).field
        #expect(KeptItems(items, digest: ContentDigest(of: []), of: shop.collection, by: field) == nil)
    }

    @Test(arguments: [false, true], [1, 3, 100])
    func `after any changes the items are those of a whole reading`(isInclusive: Bool, size: Int) async throws {
        var random = SeededGenerator(seed: UInt64(size) + (isInclusive ? 1000 : 0))
        let source = source()
        shop.isInclusive.withLock { $0 = isInclusive }
        shop.size.withLock { $0 = size }
        var items = (0..<8).map { (id: "\($0)", at: $0) }
        for now in 8..<60 {
            shop.set(items)
            #expect(try await source.content().ids == items.map { "\($0.id)\($0.at)" })
            for step in 0..<Int.random(in: 0...3, using: &random) {
                let changed = Int.random(in: 0..<items.count + 1, using: &random)
                let id = changed < items.count ? items.remove(at: changed).id : "\(now)-\(step)"
                items.append((id, now * 4 + step))
            }
        }
    }
}

/// Gives the items beyond a time, a page at a time.
private final class DatedShop: CollectionFetcher {
    private let items = Shared<[(id: String, at: Int)]>([])
    /// The values that were asked for; nil for all items.
    let requests = Shared<[String?]>([])
    /// The number of requests after which one fails; 0 for none.
    let failing = Shared(0)
    let isInclusive = Shared(false)
    let size = Shared(2)

    private struct Template: RequestTemplate {
        let baseURL = "http://shop.example"
        let method: RequestMethod? = nil
        let path: String? = "/items"
        let parameters: [QueryParameter]? = nil
        let headers: [HTTPHeader]? = nil
        let redirectOrigins: [String]? = nil
        let body: JSONObject? = nil
    }

    let collection = CollectionResource(template: ResolvedRequestTemplate(Template()), limits: HTTPClientLimits())

    func pagination(total: Bool) -> SincePagination {
        guard let field = JSONPath("at") else { fatalError("no path") }
        return SincePagination(parameter: "since", field: field, total: total ? .header("X-Total") : nil)
    }

    func set(_ items: [(id: String, at: Int)]) { self.items.withLock { $0 = items } }

    func fetch(_ request: HTTPClientRequest) async throws -> HTTPClientResponse {
        let since = request.url.split(separator: "since=").dropFirst().first.map(String.init)
        requests.withLock { $0.append(since) }
        let fails = failing.withLock { left in
            guard left > 0 else { return false }
            left -= 1
            return left == 0
        }
        if fails { return HTTPClientResponse(status: 503) }
        let isInclusive = isInclusive.withLock { $0 }
        let all = items.withLock { $0 }
        let left = all.filter { item in
            since.flatMap { Int($0) }.map { isInclusive ? item.at >= $0 : item.at > $0 } ?? true
        }
        let size = size.withLock { isInclusive ? max($0, 3) : $0 }
        let texts = left.prefix(size).map { #"{"id":"\#($0.id)","at":\#($0.at)}"# }
        return HTTPClientResponse(
            status: 200, headers: HTTPHeaders([HTTPHeader("X-Total", "\(all.count)")]),
            body: Array("[\(texts.joined(separator: ","))]".utf8))
    }
}

extension ChangesCollectionDataSource {
    fileprivate func content(_ headers: [HTTPHeader] = []) async throws -> CollectionContent {
        try #require(try await read(unless: nil, adding: headers, wallClock: .system).content)
    }
}

extension CollectionContent {
    /// The ids of the items with their times.
    fileprivate var ids: [String] {
        guard case .items(let items) = body else { return [] }
        return items.map { "\($0.object?["id"]?.string ?? "none")\($0.object?["at"]?.number?.literal ?? "")" }
    }
}
