import FileSystem
import FoundationEssentials
import JSON
import Persistence
import Products
import Testing
import TestSupport

@Suite struct JSONFileProductsStoreTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func generations() throws -> [String] {
        try Files.list(directory.path).filter { $0.hasPrefix("generation") }
    }

    private func document(_ name: String) throws -> JSONObject? {
        try JSONParser().parse(Files.read(directory(name))).object
    }

    @Test func `what is saved is there after a restart`() async throws {
        let snapshot = try makeSnapshot()
        try await makeStore(directory.path).save(snapshot)
        let answer = try await makeStore(directory.path).products(for: ProductsRequest())
        #expect(answer.snapshot.revision == snapshot.revision)
        #expect(answer.snapshot.catalogue.encoded == snapshot.catalogue.encoded)
        #expect(answer.snapshot.catalogue.ranges == snapshot.catalogue.ranges)
        #expect(answer.snapshot.fetchedAt == snapshot.fetchedAt)
        #expect(answer.snapshot.origin == .store)
        #expect(answer.trail == [TrailStep(node: "disk", outcome: .hit)])
    }

    @Test func `a generation is one line of JSON that describes itself`() async throws {
        let snapshot = try makeSnapshot()
        try await makeStore(directory.path).save(snapshot)
        let bytes = try Files.read(directory("generation-0000000001.json"))
        #expect(bytes.filter { $0 == UInt8(ascii: "\n") }.count == 1)
        let object = try #require(try document("generation-0000000001.json"))
        #expect(
            object.keys == [
                "format", "generation", "fetchedAt", "source", "count", "sha256", "seal", "canonical", "products",
            ])
        #expect(object["canonical"] == .number(JSONNumber(Catalogue.form)))
        #expect(object["format"] == 1)
        #expect(object["generation"] == 1)
        #expect(object["fetchedAt"] == "2026-01-31T12:00:00.125Z".json)
        #expect(object["source"] == "network".json)
        #expect(object["count"] == 3)
        #expect(object["sha256"] == snapshot.catalogue.digest.json)
        #expect(object["products"]?.encoded() == snapshot.catalogue.encoded)
    }

    @Test func `with nothing saved there is nothing`() async throws {
        #expect(try await makeStore(directory.path).stored() == nil)
        #expect(try await makeStore(directory("not/there/yet")).stored() == nil)
        #expect(!Files.exists(directory("not")))
    }

    @Test(arguments: [1, 2, 3])
    func `keeps so many generations and no more, and never uses a number twice`(keep: Int) async throws {
        let store = makeStore(directory.path, keep: keep)
        for number in 1...5 { try await store.save(makeSnapshot("Mug \(number)")) }
        #expect(try generations() == ((6 - keep)...5).map { "generation-000000000\($0).json" })
        #expect(try await store.stored()?.products.first?.name == "Mug 5 0 é😀")
    }

    @Test func `an equal catalogue moves the time and pushes nothing out`() async throws {
        let store = makeStore(directory.path)
        try await store.save(makeSnapshot("old", fetchedAt: 1000))
        for second in 1...5 { try await store.save(makeSnapshot("new", fetchedAt: 2000 + Double(second))) }
        #expect(try generations() == ["generation-0000000001.json", "generation-0000000002.json"])
        #expect(try document("generation-0000000002.json")?["generation"] == 2)
        #expect(try await makeStore(directory.path).stored()?.fetchedAt == Date(timeIntervalSince1970: 2005))
        try await store.save(makeSnapshot("old", fetchedAt: 3000))
        #expect(try generations().last == "generation-0000000003.json")
    }

    @Test func `files are read again only when they change`() async throws {
        let reader = makeStore(directory.path)
        let writer = makeStore(directory.path)
        try await writer.save(makeSnapshot("one"))
        let first = try #require(try await reader.stored())
        #expect(try await reader.stored()?.catalogue === first.catalogue)
        try await writer.save(makeSnapshot("one", fetchedAt: 1_769_999_999))
        let confirmed = try #require(try await reader.stored())
        #expect(confirmed.catalogue === first.catalogue)
        #expect(confirmed.fetchedAt == Date(timeIntervalSince1970: 1_769_999_999))
        try await writer.save(makeSnapshot("two"))
        #expect(try await reader.stored()?.revision == makeSnapshot("two").revision)
        try Files.remove(directory("generation-0000000002.json"))
        #expect(try await reader.stored()?.revision == first.revision)
    }

    @Test func `what a dead writer left is cleared away and foreign files are not`() async throws {
        let names = ["notes.txt", "generation-.json", "generation-12x.json", "generation-9999999999999999999.json"]
        for name in names + [".generation-0000000009.json.123.tmp"] { try Files.create(directory(name), [1]) }
        let log = LogRecorder()
        let store = makeStore(directory.path, log: log)
        try await store.save(makeSnapshot())
        #expect(try await store.stored() != nil)
        #expect(try Files.list(directory.path).sorted() == ([".lock", "generation-0000000001.json"] + names).sorted())
        #expect(log.seen.isEmpty)
    }

    @Test func `a store that cannot be written still reads`() async throws {
        try await makeStore(directory.path).save(makeSnapshot())
        try Files.createDirectories(directory(".elsewhere"))
        try Files.remove(directory(".lock"))
        try Files.createDirectories(directory(".lock"))
        let store = makeStore(directory.path)
        let error = await #expect(throws: ProductsFailure.self) { try await store.save(makeSnapshot("other")) }
        #expect(error == .storeFailed(detail: "cannot open \(directory.path)/.lock: Is a directory"))
        #expect(try await store.stored()?.revision == makeSnapshot().revision)
        #expect(try generations() == ["generation-0000000001.json"])
    }

    @Test func `a path that can be no directory is an error both ways`() async throws {
        try Files.create(directory("file"), [])
        for path in [directory("file"), directory("file/below")] {
            let store = makeStore(path)
            let save = await #expect(throws: ProductsFailure.self) { try await store.save(makeSnapshot()) }
            #expect(save?.token == "store-failed")
            let load = await #expect(throws: ProductsFailure.self) { try await store.stored() }
            #expect(load?.token == "store-failed")
        }
        #expect(try Files.list(directory.path) == ["file"])
    }

    private func details(_ id: String, attributes: JSONObject = JSONObject()) -> ProductDetails {
        ProductDetails(
            id: id, name: id, price: Price(amount: Decimal(1990) / 100, currency: "EUR"), attributes: attributes)
    }

    private func makeProducts() -> [any Product] {
        let kept = KeptProduct(details: details("k", attributes: ["until": .null, "x": 1]), typeName: "rental")
        let card = GiftCardProduct(details: details("g"), denominations: [10, Decimal(2550) / 100])
        let tea = SubscriptionProduct(details: details("s"), interval: "month", trialDays: 14)
        let book = DigitalProduct(details: details("d"), downloadURL: "https://x/d", size: 7)
        let inner = BundleProduct(details: details("i"), products: [kept, card], addOn: tea)
        return [
            kept, card, tea, book, BundleProduct(details: details("b"), products: [inner, book, book], addOn: kept),
        ]
    }

    @Test func `a generation holds products of every kind, kept and nested ones too`() async throws {
        let catalogue = try Catalogue(products: makeProducts())
        let moment = Date(timeIntervalSince1970: 1_769_860_800)
        try await makeStore(directory.path).save(
            ProductsSnapshot(catalogue: catalogue, fetchedAt: moment, origin: .network))
        let stored = try #require(try await makeStore(directory.path).stored())
        #expect(stored.catalogue.encoded == catalogue.encoded)
        #expect(stored.catalogue.ranges == catalogue.ranges)
        #expect(stored.products.map(\.typeName) == ["rental", "giftCard", "subscription", "digital", "bundle"])
        #expect(try Catalogue(products: Array(stored.products)).revision == catalogue.revision)
        let bundle = try #require(stored.products.last as? BundleProduct)
        #expect(bundle.addOn?.attributes == ["until": .null, "x": 1])
    }
}

extension String {
    fileprivate var json: JSONValue { .string(self) }
}
