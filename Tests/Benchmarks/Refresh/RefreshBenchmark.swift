import Decoding
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
internal import Upstreams

/// Measures a refresh stage by stage, in processor time: `RefreshBenchmark COUNT FILE`.
///
/// The file gets the body that was measured, for others to read the same bytes.
@main
struct RefreshBenchmark {
    private static let rounds = 7
    private static let clock = ProcessorClock()

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let count = Int(arguments[1]) else { throw BadArguments() }
        let body = ChangingBody(native: count, isDescribed: count <= 10_000)
        try Data(body.bytes).write(to: URL(filePath: arguments[2]))
        let catalogue = try await stages(body.bytes)
        try await mapped(count)
        try await store(catalogue)
        for (name, changed) in [("changed", count), ("12 changed", 12), ("unchanged", 0)] {
            try await whole(body, named: "whole refresh over HTTP, \(name)", changed)
        }
        try await included(count)
        try await resources(count)
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

    private static func mapped(_ count: Int) async throws {
        let mapping = CatalogueMapping(
            type: .constant("physical"), fields: try fields(["name=title", "price.amount=price", "sales=stock"]),
            constants: [(ours: try path("price.currency"), value: "EUR")])
        let format = MappedCatalogueFormat(mapping: mapping)
        let body = BenchmarkCatalogue.foreign(count: count)
        try await report("decode, mapped") { _ = try format.decode(body, knowing: nil) }
    }

    /// Products with variants and two lists beside them, and the same products in Larder's own form.
    private static func included(_ count: Int) async throws {
        let mapping = CatalogueMapping(
            items: try path("products"), type: .constant("physical"),
            fields: try fields([
                "name=title", "price.amount=price", "sales=sold", "brand=brand.name", "category=categories.*.name",
            ]),
            constants: [(ours: try path("price.currency"), value: "EUR")],
            variants: VariantsMapping(
                place: .within(PathAlternatives(try itemPath("variants"))),
                fields: try fields(["price.amount=price", "stock=inventory"])),
            includes: try [("brands", "brand_id", "brand"), ("categories", "category_ids.*", "categories")].map {
                IncludedList(
                    path: try path($0), reference: .ids(of: try itemPath($1), id: try path("id"), member: $2))
            })
        try await compare(ChangingBody(included: count), mapping, "variants and two includes")
    }

    /// The same of JSON:API, whose attributes are mapped one by one.
    private static func resources(_ count: Int) async throws {
        let mapping = CatalogueMapping(
            items: try path("data"), type: .constant("physical"),
            fields: try fields([
                "object=type", "name=attributes.title", "description=attributes.description",
                "price.amount=attributes.price", "sales=attributes.sold", "weight=attributes.weight",
                "brand=relationships.brand.data.attributes.name",
                "category=relationships.categories.data.*.attributes.name",
            ]),
            constants: [(ours: try path("price.currency"), value: "EUR")],
            variants: VariantsMapping(
                place: .within(PathAlternatives(try itemPath("attributes.variants"))),
                fields: try fields(["price.amount=price", "stock=inventory"])),
            attributes: .drop, includes: [IncludedList(path: try path("included"), reference: .relationships)])
        try await compare(ChangingBody(jsonAPI: count), mapping, "variants and JSON:API")
    }

    /// Measures products by a mapping beside the same products in Larder's own form.
    private static func compare(_ foreign: ChangingBody, _ mapping: CatalogueMapping, _ title: String) async throws {
        let format = MappedCatalogueFormat(mapping: mapping)
        let products = try format.decode(foreign.bytes, knowing: nil).products
        let native = ChangingBody(
            try products.map { try JSONByteEncoder.encode($0) }, count: "sales")
        let decoders: [(String, ChangingBody, any CatalogueDecoder)] = [
            ("native", native, NativeCatalogueDecoder()), ("mapped", foreign, format),
        ]
        let count = products.count
        for (name, body, decoder) in decoders {
            let name = "\(title), \(name)"
            try await report("decode, \(name)") { _ = try decoder.decode(body.bytes, knowing: nil) }
            try await whole(body, named: "whole refresh, \(name)", count, decoder)
        }
    }

    private static func fields(_ texts: [String]) throws -> [FieldMapping] {
        try texts.map { text in
            let parts = text.split(separator: "=").map(String.init)
            return FieldMapping(ours: try path(parts[0]), theirs: PathAlternatives(try itemPath(parts[1])))
        }
    }

    private static func path(_ text: String) throws -> JSONPath {
        guard let path = JSONPath(text) else { throw BadPath() }
        return path
    }

    private static func itemPath(_ text: String) throws -> ItemPath {
        guard let path = ItemPath(text) else { throw BadPath() }
        return path
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

    /// Over a socket, through the source and the check.
    private static func whole(
        _ body: ChangingBody, named name: String, _ changed: Int,
        _ decoder: any CatalogueDecoder = NativeCatalogueDecoder()
    ) async throws {
        let served = Shared(body)
        let upstream = ScriptedUpstream { connection in
            clock.leaveOutThread()
            while connection.readRequest() != nil { connection.respond(body: served.withLock { $0.bytes }) }
        }
        defer { upstream.stop() }
        let loops = try EventLoopGroup(count: 1)
        let client = HTTPClient(loops: loops.loops, userAgent: UserAgent(version: "benchmark"))
        let collection = CollectionResource(
            template: ResolvedRequestTemplate(Address(baseURL: upstream.url)),
            limits: HTTPClientLimits(timeout: .seconds(60), body: 1 << 28))
        let source = HTTPProductsProvider(
            source: PlainCollectionDataSource(collection, fetcher: HTTPCollectionFetcher(session: client)),
            decoder: decoder)
        let provider = ValidatedProductsProviderDecorator(upstream: source)
        // The upstream's thread is known, and its connection open, once the first refresh is over.
        _ = try await provider.products(for: ProductsRequest())
        try await report(name, after: { served.withLock { $0.change(changed) } }) {
            _ = try await provider.products(for: ProductsRequest())
        }
        await client.shutdown()
        await loops.shutdown()
    }

    /// Prints the least processor time of several rounds: other work on the machine can only add to it.
    private static func report(
        _ stage: String, after prepare: () -> Void = {}, _ work: () async throws -> Void
    ) async throws {
        var least = Double.infinity
        for _ in 0..<rounds {
            prepare()
            let start = clock.milliseconds
            try await work()
            least = min(least, clock.milliseconds - start)
        }
        let tenths = Int((least * 10).rounded())
        let number = "\(tenths / 10).\(tenths % 10)"
        print(String(repeating: " ", count: max(0, 8 - number.count)) + number + "  " + stage)
    }

    private struct BadArguments: Error {}

    private struct BadPath: Error {}

    private struct Address: RequestTemplate {
        let baseURL: String
        var method: RequestMethod? { nil }
        var path: String? { nil }
        var parameters: [QueryParameter]? { nil }
        var headers: [HTTPHeader]? { nil }
        var redirectOrigins: [String]? { nil }
        var body: JSONObject? { nil }
    }
}

/// Counts the processor time of all threads of this program, but for one.
private struct ProcessorClock: Sendable {
    private let leftOut = Shared<clockid_t?>(nil)

    /// Leaves out the thread that calls this, which has to live on.
    func leaveOutThread() {
        var thread = clockid_t()
        unsafe pthread_getcpuclockid(pthread_self(), &thread)
        let clock = thread
        leftOut.withLock { $0 = clock }
    }

    var milliseconds: Double {
        read(CLOCK_PROCESS_CPUTIME_ID) - (leftOut.withLock { $0 }.map(read) ?? 0)
    }

    private func read(_ clock: clockid_t) -> Double {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
    }
}
