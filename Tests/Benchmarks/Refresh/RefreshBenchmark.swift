internal import EventLoop
internal import FoundationEssentials
internal import Glibc
internal import JSON
internal import Logging
internal import Networking
internal import Persistence
internal import Products
internal import Providers
internal import TestSupport

/// Measures a refresh stage by stage, in processor time: `make bench-refresh`.
@main
struct RefreshBenchmark {
    private static let count = 10_000
    private static let rounds = 7

    static func main() async throws {
        let body = BenchmarkCatalogue.native(count: count)
        print(
            "\(count) products, \(body.count) bytes; the least of \(rounds) rounds, in milliseconds of processor time")
        let catalogue = try await stages(body)
        try await mapped()
        try await store(catalogue)
        try await whole(body)
    }

    private static func stages(_ body: [UInt8]) async throws -> Catalogue {
        let decoded = try NativeCatalogueDecoder().decode(body, knowing: nil)
        var catalogue = try Catalogue(decoded)
        try await report("parse alone (part of decode)") { _ = try JSONParser().parse(body) }
        try await report("decode") { _ = try NativeCatalogueDecoder().decode(body, knowing: nil) }
        let old = catalogue
        try await report("validate") { try CatalogueRules().check(catalogue, replacing: old.count) }
        try await report("index and hash") { catalogue = try Catalogue(decoded) }
        try await report("list (isPopular)") {
            _ = ProductsUseCase.marked(catalogue, by: PopularityRule())
        }
        return catalogue
    }

    private static func mapped() async throws {
        let mapping = CatalogueMapping(
            type: .constant("physical"),
            fields: try ["name=title", "price.amount=price", "sales=stock"].map { text in
                let parts = text.split(separator: "=").map(String.init)
                guard let ours = JSONPath(parts[0]), let theirs = JSONPath(parts[1]) else { throw BadPath() }
                return FieldMapping(ours: ours, theirs: theirs)
            },
            constants: [(ours: JSONPath("price.currency") ?? .root, value: "EUR")])
        let format = MappedCatalogueFormat(mapping: mapping)
        let body = BenchmarkCatalogue.foreign(count: count)
        try await report("decode, mapped") { _ = try format.decode(body) }
    }

    private static func store(_ catalogue: Catalogue) async throws {
        let directory = try TemporaryDirectory()
        let logger = Logger(label: "benchmark") { _ in SwiftLogNoOpLogHandler() }
        let snapshot = ProductsSnapshot(catalogue: catalogue, fetchedAt: Date(), origin: .network)
        try await report("save") {
            try await JSONFileProductsStore(directory: directory.path, logger: logger).save(snapshot)
        }
        try await report("load (cold)") {
            _ = try await JSONFileProductsStore(directory: directory.path, logger: logger)
                .products(for: ProductsRequest())
        }
    }

    /// Over a socket, through the source and the check, the upstream's own time included.
    private static func whole(_ body: [UInt8]) async throws {
        let other = BenchmarkCatalogue.native(count: count - 1)
        let served = Shared(body)
        let upstream = ScriptedUpstream { connection in
            while connection.readRequest() != nil { connection.respond(body: served.withLock { $0 }) }
        }
        defer { upstream.stop() }
        let loops = try EventLoopGroup(count: 1)
        let client = HTTPClient(loops: loops.loops, userAgent: UserAgent(version: "benchmark"))
        let collection = CollectionResource(
            template: ResolvedRequestTemplate(Address(baseURL: upstream.url)),
            limits: HTTPClientLimits(timeout: .seconds(60)))
        let source = HTTPProductsProvider(
            source: PlainCollectionDataSource(collection, fetcher: HTTPCollectionFetcher(session: client)))
        let provider = ValidatedProductsProviderDecorator(upstream: source)
        try await report("whole refresh over HTTP, changed") {
            served.withLock { $0 = $0.count == body.count ? other : body }
            _ = try await provider.products(for: ProductsRequest())
        }
        try await report("whole refresh over HTTP, unchanged") {
            _ = try await provider.products(for: ProductsRequest())
        }
        await client.shutdown()
        await loops.shutdown()
    }

    /// Prints the least processor time of several rounds, in all threads: other work on the machine can only add to it.
    private static func report(_ stage: String, _ work: () async throws -> Void) async throws {
        var least = Double.infinity
        for _ in 0..<rounds {
            let start = clock()
            try await work()
            least = min(least, Double(clock() - start) / Double(CLOCKS_PER_SEC) * 1000)
        }
        let tenths = Int((least * 10).rounded())
        let number = "\(tenths / 10).\(tenths % 10)"
        print(String(repeating: " ", count: max(0, 8 - number.count)) + number + "  " + stage)
    }

    private struct BadPath: Error {}

    private struct Address: RequestTemplate {
        let baseURL: String
        var method: RequestMethod? { nil }
        var path: String? { nil }
        var parameters: [QueryParameter]? { nil }
        var headers: [HTTPHeader]? { nil }
        var redirectOrigins: [String]? { nil }
    }
}
