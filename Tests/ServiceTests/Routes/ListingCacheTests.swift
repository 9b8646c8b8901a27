import HTTPServer
import Products
import Testing

@testable import Service

@Suite("The cache of encoded listings")
struct ListingCacheTests {
    @Test("However many want a revision at once, it is encoded once")
    func singleEncoding() async throws {
        let cache = ListingCache()
        let listing = makeListing(try makeCatalogue((0..<500).map { "Mug \($0)" }))
        let encodings = await withTaskGroup { group in
            for _ in 0..<64 { group.addTask { await cache.encoded(listing) } }
            return await group.reduce(into: [EncodedListing]()) { $0.append($1) }
        }
        #expect(encodings.count == 64)
        #expect(Set(encodings.map(ObjectIdentifier.init)).count == 1)
        #expect(encodings[0].catalogue === listing.answer.snapshot.catalogue)
    }

    @Test("Another catalogue with the same products is the same revision")
    func equalCatalogues() async throws {
        let cache = ListingCache()
        let first = await cache.encoded(makeListing(try makeCatalogue(["Mug"])))
        let second = await cache.encoded(makeListing(try makeCatalogue(["Mug"])))
        #expect(first === second)
    }

    @Test("A new revision is encoded anew; the one before it stays for a while")
    func followsRevisions() async throws {
        let cache = ListingCache(capacity: 2)
        let listings = try ["Mug", "Cup", "Jar"].map { makeListing(try makeCatalogue([$0])) }
        let mug = await cache.encoded(listings[0])
        let cup = await cache.encoded(listings[1])
        #expect(cup.plain.whole.body.text.contains("Cup"))
        #expect(cup.plain.whole.entityTag != mug.plain.whole.entityTag)
        #expect(await cache.encoded(listings[0]) === mug)
        _ = await cache.encoded(listings[2])
        #expect(await cache.encoded(listings[1]) === cup)
        #expect(await cache.encoded(listings[0]) !== mug)
    }
}
