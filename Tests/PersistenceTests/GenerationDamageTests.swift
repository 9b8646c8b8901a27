import TestSupport
import FileSystem
import FoundationEssentials
import Glibc
import Hashing
import Persistence
import Products
import Testing

@Suite struct GenerationDamageTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private var newest: String { directory("generation-0000000002.json") }

    private func overwrite(_ path: String, _ bytes: [UInt8]) throws {
        try Files.remove(path)
        try Files.create(path, bytes)
    }

    private func saveTwo() async throws -> (old: ProductsSnapshot, new: ProductsSnapshot) {
        let store = makeStore(directory.path)
        let (old, new) = (try makeSnapshot("old"), try makeSnapshot("new", count: 2, fetchedAt: 1_769_999_999))
        try await store.save(old)
        try await store.save(new)
        return (old, new)
    }

    /// What a fresh store loads is one of the two snapshots, whole.
    private func expectGood(_ old: ProductsSnapshot, _ new: ProductsSnapshot) async throws {
        let found = try #require(try await makeStore(directory.path).stored())
        let expected = found.revision == new.revision ? new : old
        #expect(found.catalogue.encoded == expected.catalogue.encoded)
        #expect(found.fetchedAt == expected.fetchedAt)
        #expect(found.products.count == expected.products.count)
    }

    @Test func `a pipe with the name of a generation is none`() async throws {
        let (_, new) = try await saveTwo()
        #expect(unsafe mkfifo(directory("generation-0000000003.json"), 0o600) == 0)
        #expect(try await makeStore(directory.path).stored()?.revision == new.revision)
    }

    @Test func `a flipped byte anywhere never gives garbage`() async throws {
        let (old, new) = try await saveTwo()
        let bytes = try Files.read(newest)
        for index in bytes.indices {
            for flip: UInt8 in [0x01, 0x20] {
                var damaged = bytes
                damaged[index] ^= flip
                try overwrite(newest, damaged)
                try await expectGood(old, new)
                try Files.remove("\(newest).corrupt")
            }
        }
    }

    @Test func `a file cut off or zeroed anywhere never gives garbage`() async throws {
        let (old, new) = try await saveTwo()
        let bytes = try Files.read(newest)
        for length in 0..<bytes.count {
            let zeros = [UInt8](repeating: 0, count: length % 2 == 0 ? 0 : bytes.count - length)
            try overwrite(newest, bytes.prefix(length) + zeros)
            try await expectGood(old, new)
            try Files.remove("\(newest).corrupt")
        }
    }

    @Test func `a damaged generation is moved aside and reported once`() async throws {
        let (old, _) = try await saveTwo()
        try overwrite(newest, Array("{}".utf8))
        let log = LogRecorder()
        let store = makeStore(directory.path, log: log)
        for _ in 0..<3 { #expect(try await store.stored()?.revision == old.revision) }
        #expect(log.seen == ["error: stored generation is damaged, stepping back to an older one"])
        #expect(try Files.read("\(newest).corrupt") == Array("{}".utf8))
        #expect(!Files.exists(newest))
    }

    @Test func `the number of a damaged generation is not used again`() async throws {
        _ = try await saveTwo()
        try overwrite(newest, [])
        let store = makeStore(directory.path)
        _ = try await store.stored()
        try await store.save(makeSnapshot("newer"))
        #expect(Files.exists(directory("generation-0000000003.json")))
        #expect(!Files.exists(newest))
    }

    @Test func `saving over a damaged generation heals it`() async throws {
        let (_, new) = try await saveTwo()
        var bytes = try Files.read(newest)
        bytes[bytes.count - 10] ^= 1
        try overwrite(newest, bytes)
        try await makeStore(directory.path).save(new)
        #expect(try await makeStore(directory.path).stored()?.revision == new.revision)
        #expect(try Files.list(directory.path).filter { $0.hasSuffix(".corrupt") }.isEmpty)
    }

    @Test func `with all damaged there is nothing and saving heals`() async throws {
        _ = try await saveTwo()
        try overwrite(newest, [])
        try overwrite(directory("generation-0000000001.json"), Array("[]".utf8))
        let store = makeStore(directory.path)
        #expect(try await store.stored() == nil)
        try await store.save(makeSnapshot("good"))
        #expect(try await makeStore(directory.path).stored()?.revision == makeSnapshot("good").revision)
    }

    @Test func `a damaged generation that cannot be moved is stepped over and reported once`() async throws {
        let (old, _) = try await saveTwo()
        try overwrite(newest, [])
        try Files.remove(directory(".lock"))
        try Files.createDirectories(directory(".lock"))
        let log = LogRecorder()
        let store = makeStore(directory.path, log: log)
        for _ in 0..<3 { #expect(try await store.stored()?.revision == old.revision) }
        #expect(log.seen == ["error: stored generation is damaged and cannot be moved aside"])
    }

    @Test func `a generation that cannot be read is stepped over`() async throws {
        let (old, _) = try await saveTwo()
        try Files.remove(newest)
        try Files.createDirectories(newest)
        #expect(try await makeStore(directory.path).stored()?.revision == old.revision)
        try Files.remove(directory("generation-0000000001.json"))
        let error = await #expect(throws: ProductsFailure.self) { try await makeStore(directory.path).stored() }
        #expect(error == .storeFailed(detail: "cannot read \(newest): Is a directory"))
    }

    @Test func `a newer format is neither used nor touched nor removed`() async throws {
        let (old, _) = try await saveTwo()
        let newer = Array(#"{"format":3,"shape":"unknown","products":"elsewhere"}"#.utf8)
        try overwrite(newest, newer)
        let log = LogRecorder()
        let store = makeStore(directory.path, keep: 1, log: log)
        for _ in 0..<2 { #expect(try await store.stored()?.revision == old.revision) }
        #expect(log.seen == ["error: stored generation cannot be loaded, stepping back to an older one"])
        for number in 3...5 { try await store.save(makeSnapshot("save \(number)")) }
        #expect(try Files.read(newest) == newer)
        let names = try Files.list(directory.path).filter { !$0.hasPrefix(".unseen") }
        #expect(names == [".lock", "generation-0000000002.json", "generation-0000000005.json"])
        #expect(try await makeStore(directory.path).stored()?.revision == makeSnapshot("save 5").revision)
    }

    @Test(arguments: [
        (#""wear""#, 1), (#""\"category\":[""#, 1), (#"["wear","men"]"#, 2), (#"{"name":"wear"}"#, 2),
    ])
    func `only products that earlier versions refuse are in a format that those leave alone`(
        category: String, format: Int
    ) async throws {
        let price = #"{"amount":1,"currency":"EUR"}"#
        let text = #"[{"type":"digital","id":"1","name":"x","price":\#(price),"category":\#(category)}]"#
        let snapshot = try makeSnapshot("x").with(try Catalogue(encoded: Array(text.utf8)))
        try await makeStore(directory.path).save(snapshot)
        let file = "\(directory.path)/generation-0000000001.json"
        #expect(String(decoding: try Files.read(file), as: UTF8.self).hasPrefix(#"{"format":\#(format),"#))
        #expect(try await makeStore(directory.path).stored()?.revision == snapshot.revision)
    }

    @Test(arguments: [nil, Catalogue.form + 1, Catalogue.form])
    func `products in another form than this version's are made again`(canonical: Int?) async throws {
        _ = try await saveTwo()
        let price = #"{"amount":19.90,"currency":"EUR"}"#
        let products = #"[{"type":"physical","id":"1","name":"é","price":\#(price),"sales":5}]"#
        try overwrite(newest, Forgery.file(2, holding: products, canonical: canonical))
        let stored = try #require(try await makeStore(directory.path).stored()).catalogue
        let made = try Catalogue(encoded: Array(products.utf8))
        let isTaken = canonical == Catalogue.form
        #expect(stored.encoded == (isTaken ? Array(products.utf8) : made.encoded))
        #expect(stored.digest == SHA256Digest(of: stored.encoded).hexDigits)
        #expect(stored.ranges.map { stored.encoded[$0] } == [stored.encoded.dropFirst().dropLast()])
        #expect(stored.position(ofID: "1") == 0)
    }

    @Test(arguments: ["[1,2]", "[{},2]", "[{}{}]", "[{},{}", "[{},{]", "{}", #"[{"a":"},{}]"#, #"["},{"]"#, "]", ""])
    func `bytes that are no array of objects are damage, whatever their header says`(products: String) async throws {
        let (old, _) = try await saveTwo()
        try overwrite(newest, Forgery.file(2, holding: products, count: 2))
        #expect(try await makeStore(directory.path).stored()?.revision == old.revision)
        #expect(Files.exists("\(newest).corrupt"))
    }

    @Test(arguments: ["0", "-1", "1.5", "\"1\"", "null"])
    func `a format that never was is damage`(format: String) async throws {
        let (old, _) = try await saveTwo()
        let text = String(decoding: try Files.read(newest), as: UTF8.self)
        try overwrite(newest, Array(text.replacing(#""format":1,"#, with: #""format":\#(format),"#).utf8))
        #expect(try await makeStore(directory.path).stored()?.revision == old.revision)
        #expect(Files.exists("\(newest).corrupt"))
    }
}
