import Concurrency
import FileSystem
import Glibc
import Hashing
import Health
import Products
import Testing
import TestSupport

@testable import Persistence

/// Files whose checksums are right, whatever they hold.
enum Forgery {
    /// A file of a generation with the right checksums.
    static func file(
        _ number: Int, holding products: String, count: Int = 1, canonical: Int? = Catalogue.form
    ) -> [UInt8] {
        let (time, digest) = ("2026-01-31T12:00:00.125Z", SHA256Digest(of: products.utf8).hexDigits)
        let seal = SHA256Digest(of: "1 \(number) \(time) network \(count) \(digest)".utf8).hexDigits.prefix(16)
        let form = canonical.map { #","canonical":\#($0)"# } ?? ""
        let header = #"{"format":1,"generation":\#(number),"fetchedAt":"\#(time)","source":"network","count":\#(count)"#
        let text = #"\#(header),"sha256":"\#(digest)","seal":"\#(seal)"\#(form),"products":\#(products)}"#
        return Array("\(text)\n".utf8)
    }
}

@Suite(.timeLimit(.minutes(1)))
struct UnseenProductsTests {
    private let directory: TemporaryDirectory
    private let log = LogRecorder()
    private let clock = ManualClock()
    private let damage = Observed(0)
    private static let damaged = "error: stored generation is damaged, stepping back to an older one"

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func make(movesDamaged: Bool = true) -> JSONFileProductsStore {
        let store = JSONFileProductsStore(
            directory: directory.path, movesDamaged: movesDamaged, logger: log.logger, timeout: .seconds(30),
            clock: clock)
        Task { [damage, changes = store.changes] in for await _ in changes { damage.update { $0 += 1 } } }
        return store
    }

    private func path(_ number: Int) -> String { directory("generation-000000000\(number).json") }

    private var marks: [String] {
        get throws { try Files.list(directory.path).filter { $0.hasPrefix(".unseen") } }
    }

    /// Saves two good generations, and puts a third beside them.
    private func forge(_ products: String = #"[{"type":"physical","id":"1"}]"#) async throws {
        let store = make()
        for name in ["old", "good"] { try await store.save(makeSnapshot(name)) }
        try Files.create(path(3), Forgery.file(3, holding: products))
    }

    /// Lets the time come at which products are looked at, until something has come of it.
    private func look(until fact: () async throws -> Bool) async throws {
        try await eventually {
            clock.advance(by: .seconds(2))
            return try await fact()
        }
    }

    @Test func `good products are given at once, looked at behind that, and leave no mark`() async throws {
        let snapshot = try makeSnapshot()
        try await make().save(snapshot)
        let catalogue = try #require(try await make().stored()).catalogue
        #expect(catalogue.isUnseen)
        #expect(try marks == [".unseen.1"])
        try await look { try marks.isEmpty }
        #expect(!catalogue.isUnseen && !catalogue.isDamaged)
        #expect(damage.value == 0 && log.seen == [])
    }

    @Test func `damaged products with the right checksums are set aside behind the first answers`() async throws {
        try await forge()
        let store = make()
        let given = try #require(try await store.stored()).catalogue
        #expect(given.count == 1)
        try await look { damage.value == 1 }
        #expect(given.isDamaged)
        #expect(try await store.stored()?.revision == makeCatalogue("good").revision)
        #expect(Files.exists("\(path(3)).corrupt") && !Files.exists(path(3)))
        try await look { try marks.isEmpty }
        #expect(log.seen == [Self.damaged])
        #expect(store.troubles.map(\.kind) == [.store])
        #expect(store.troubles.first?.cause.contains("generation-0000000003.json: damaged: ") == true)
        try await store.save(makeSnapshot("newer"))
        #expect(store.troubles.isEmpty)
        #expect(Files.exists(path(4)))
    }

    @Test func `after two starts that died, products are looked at before they are given`() async throws {
        try await forge()
        for starts in 1...2 {
            #expect(try await make().stored()?.products.count == 1)
            #expect(try marks.count == starts)
        }
        let store = make()
        #expect(try await store.stored()?.revision == makeCatalogue("good").revision)
        #expect(log.seen == [Self.damaged])
        #expect(try marks.isEmpty)
        #expect(try #require(try await make().stored()).catalogue.isUnseen)
    }

    @Test func `a store that is closed has not died`() async throws {
        try await make().save(makeSnapshot())
        for _ in 0..<3 {
            let store = make()
            #expect(try #require(try await store.stored()).catalogue.isUnseen)
            await store.close(within: .seconds(30))
            #expect(try marks.isEmpty)
        }
    }

    @Test func `where no mark can be made, products are looked at before they are given`() async throws {
        try await forge()
        for mark in GenerationReader.marks { try Files.createDirectories(directory(mark)) }
        #expect(try await make().stored()?.revision == makeCatalogue("good").revision)
        let dry = make(movesDamaged: false)
        try Files.create(path(4), Forgery.file(4, holding: #"[{"id":1}]"#))
        for _ in 0..<3 { #expect(try await dry.stored()?.revision == makeCatalogue("good").revision) }
        #expect(Files.exists(path(4)))
        #expect(log.count(of: Self.damaged) == 2)
    }

    @Test func `a damaged file that cannot be moved is given no more`() async throws {
        try await forge()
        let store = make()
        #expect(try await store.stored()?.products.count == 1)
        try Files.remove(directory(".lock"))
        try Files.createDirectories(directory(".lock"))
        try await look { damage.value == 1 }
        for _ in 0..<3 { #expect(try await store.stored()?.revision == makeCatalogue("good").revision) }
        #expect(log.seen == ["error: stored generation is damaged and cannot be moved aside"])
    }

    @Test func `a pinned generation that turns out to be damaged gives way to an older one`() async throws {
        try await forge()
        let order = OperatorOrder(at: ManualWallClock().now, by: "me", reason: nil)
        try await make().pin(.generation(3), by: order)
        let store = make()
        #expect(await store.pinned()?.snapshot.products.count == 1)
        // The store that pinned it looks as well.
        try await look { damage.value == 2 }
        let answer = try #require(await store.pinned())
        #expect(answer.snapshot.revision == (try makeCatalogue("good").revision))
        #expect(log.count(of: "error: the pinned generation cannot be served, an older one is") == 1)
    }

    @Test func `a generation is looked at behind the order that pins it`() async throws {
        let store = make()
        for name in ["old", "good"] { try await store.save(makeSnapshot(name)) }
        try Files.create(path(1) + ".new", Forgery.file(1, holding: #"[{"type":"physical","id":"1"}]"#))
        try Files.rename(path(1) + ".new", to: path(1))
        try await store.pin(.generation(1), by: OperatorOrder(at: ManualWallClock().now, by: "me", reason: nil))
        #expect(await store.pinned()?.snapshot.products.count == 1)
        try await look { damage.value > 0 }
        #expect(try await store.stored()?.revision == makeCatalogue("good").revision)
        #expect(Files.exists("\(path(1)).corrupt"))
    }

    @Test func `products in another form than the file says are decoded once they are looked at`() async throws {
        let price = #"{"amount":19.90,"currency":"EUR"}"#
        try await forge(#"[{"type":"physical","id":"1","name":"é","price":\#(price),"sales":5}]"#)
        let store = make()
        let given = try #require(try await store.stored()).catalogue
        try await look { damage.value == 1 }
        let decoded = try #require(try await store.stored()).catalogue
        #expect(try decoded.encoded == Catalogue(encoded: given.encoded).encoded && decoded.encoded != given.encoded)
        #expect(Files.exists(path(3)))
        #expect(log.seen == ["warning: stored products are not in the form that the file declares, and are decoded"])
    }

    @Test func `a file of endless length is not read, and stays`() async throws {
        let store = make()
        try await store.save(makeSnapshot("good"))
        try Files.create(path(2), Array(try Files.read(path(1))))
        #expect(unsafe truncate(path(2), 1 << 40) == 0)
        let restarted = make()
        for _ in 0..<3 { #expect(try await restarted.stored()?.revision == makeCatalogue("good").revision) }
        #expect(log.seen == ["error: stored generation cannot be loaded, stepping back to an older one"])
        #expect(Files.exists(path(2)))
        let error = await #expect(throws: ProductsFailure.self) { try await restarted.snapshot(of: .generation(2)) }
        #expect(error?.description.contains("cannot read \(path(2)): File too large") == true)
    }

    @Test func `a store of more bytes reads, and writes, longer files`() async throws {
        var directory = GenerationDirectory(path: directory.path, limit: 100)
        try Files.createDirectories(directory.path)
        let name = GenerationName(number: 1)
        #expect(throws: FileSystemError.self) { try directory.put(makeSnapshot(), as: name) }
        #expect(try Files.list(directory.path).isEmpty)
        directory.limit = 10_000
        try directory.put(makeSnapshot(), as: name)
        #expect(try directory.read(name, known: nil).revision == makeCatalogue().revision)
    }

    @Test func `looking at every generation by hand finds what the checksums do not`() async throws {
        try await forge()
        let contents = try GenerationArchive(directory: directory.path).contents()
        #expect(contents.generations.map(\.condition) == [.damaged, .good, .good])
    }

    @Test func `the history looks at products before it gives them, since nothing does so afterwards`() async throws {
        try await forge()
        let store = make()
        await #expect(throws: ProductsFailure.self) { try await store.snapshot(of: .generation(3)) }
        #expect(try await store.snapshot(of: .newest).revision == makeCatalogue("good").revision)
        #expect(try await !store.snapshot(of: .generation(1)).catalogue.isUnseen)
        // Also where the store gives them unseen.
        #expect(try await make().stored()?.products.count == 1)
        await #expect(throws: ProductsFailure.self) { try await store.snapshot(of: .generation(3)) }
    }
}
