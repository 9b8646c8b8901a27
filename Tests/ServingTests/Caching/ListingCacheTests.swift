import Concurrency
import FoundationEssentials
import HTTPServer
import Products
import Querying
import ServingTestSupport
import Testing
import TestSupport

@testable import Serving

@Suite struct ListingCacheTests {
    @Test func `concurrent requests encode a revision once`() async throws {
        let cache = ListingCache(capacity: 2)
        let listing = makeListing(try makeCatalogue((0..<500).map { "Mug \($0)" }))
        let encodings = try await withThrowingTaskGroup { group in
            for _ in 0..<64 { group.addTask { try await cache.encoded(listing).value } }
            return try await group.reduce(into: [EncodedListing]()) { $0.append($1) }
        }
        #expect(encodings.count == 64)
        #expect(Set(encodings.map(ObjectIdentifier.init)).count == 1)
        #expect(encodings[0].catalogue.revision == listing.answer.snapshot.revision)
    }

    @Test func `an equal catalogue is the same revision`() async throws {
        let cache = ListingCache(capacity: 2)
        let first = try await cache.encoded(makeListing(try makeCatalogue(["Mug"]))).value
        let second = try await cache.encoded(makeListing(try makeCatalogue(["Mug"]))).value
        #expect(first === second)
    }

    @Test func `a new revision is encoded anew, and the one before stays a while`() async throws {
        let cache = ListingCache(capacity: 2)
        let listings = try ["Mug", "Cup", "Jar"].map { makeListing(try makeCatalogue([$0])) }
        let mug = try await cache.encoded(listings[0]).value
        let cup = try await cache.encoded(listings[1]).value
        #expect(cup.plain.whole.representation.body.text.contains("Cup"))
        #expect(cup.plain.whole.representation.entityTag != mug.plain.whole.representation.entityTag)
        #expect(try await cache.encoded(listings[0]).value === mug)
        _ = try await cache.encoded(listings[2]).value
        #expect(try await cache.encoded(listings[1]).value === cup)
        #expect(try await cache.encoded(listings[0]).value !== mug)
    }

    @Test func `a revision that returns is modified later`() async throws {
        let clock = ManualWallClock(now: Date(timeIntervalSince1970: 1_800_000_000))
        let cache = ListingCache(capacity: 4, wallClock: WallClock { clock.now })
        var encodings: [EncodedListing] = []
        for name in ["Mug", "Cup", "Mug", "Mug"] {
            encodings.append(try await cache.encoded(makeListing(try makeCatalogue([name]))).value)
            clock.advance(by: .seconds(10))
        }
        #expect(encodings.map { $0.lastModified.seconds - 1_800_000_000 } == [0, 10, 20, 20])
        #expect(encodings[0].plain.whole.representation.entityTag == encodings[2].plain.whole.representation.entityTag)
    }

    @Test func `parts that queries needed are prepared for the next revision`() async throws {
        let cache = ListingCache(capacity: 4)
        let listings = try ["Mug", "Cup", "Jar"].map { makeListing(try makeCatalogue([$0, "\($0) lid"])) }
        let mug = try await cache.encoded(listings[0]).value
        _ = try await mug.response(to: ProductsQuery(limit: 1), .identity).value
        let cup = try await cache.encoded(listings[1]).value
        _ = try await cup.response(to: ProductsQuery(types: ["physical"], sort: [ProductsSortKey(.name)]), .identity)
            .value
        #expect(cup.index.madeParts == 2)
        let jar = try await cache.encoded(listings[2]).value
        try await eventually { jar.index.madeParts == 2 }
        #expect(mug.index.madeParts == 0)
    }

    @Test func `a revision that stands in again is modified then and not encoded anew`() async throws {
        let clock = ManualWallClock(now: Date(timeIntervalSince1970: 1_800_000_000))
        let cache = ListingCache(capacity: 4, isVaried: false, wallClock: WallClock { clock.now })
        let (mug, cup) = (makeListing(try makeCatalogue(["Mug"])), makeListing(try makeCatalogue(["Cup"])))
        var encodings: [EncodedListing] = []
        for listing in [mug, cup, mug, mug, cup] {
            encodings.append(try await cache.encoded(listing).value)
            #expect(cache.encoded(listing).ready === encodings.last)
            clock.advance(by: .seconds(10))
        }
        #expect(encodings.map { $0.lastModified.seconds - 1_800_000_000 } == [0, 10, 20, 20, 40])
        #expect(encodings[2].plain === encodings[0].plain)
        #expect(encodings[4].plain === encodings[1].plain)
    }

    @Test(arguments: [1, 16])
    func `replaced revisions are released`(variants: Int) async throws {
        let cache = ListingCache(variants: variants, wallClock: .system)
        for number in 0..<50 {
            let catalogue = try makeCatalogue((0..<100).map { "Mug \($0) of \(number)" })
            let encoded = try await cache.encoded(makeListing(catalogue)).value
            _ = try await encoded.response(to: ProductsQuery(sort: [ProductsSortKey(.name)], limit: 10), .identity)
                .value
            _ = try await encoded.response(to: nil, .gzip).value
        }
        let last = try makeCatalogue((0..<100).map { "Cup \($0)" })
        let kept = try await cache.encoded(makeListing(last)).value
        try await eventually { cache.memory.catalogues == last.encoded.count }
        try await eventually { cache.memory.encodings == kept.plain.whole.representation.body.count }
        try await eventually { cache.memory.responses == 0 }
    }

    @Test func `a replaced revision stays while its catalogue is held`() async throws {
        let cache = ListingCache(capacity: 4)
        var held: ProductsListing? = makeListing(try makeCatalogue(["Mug"]))
        weak let catalogue = held?.answer.snapshot.catalogue
        weak let encoded = try await cache.encoded(try #require(held)).value
        let cup = makeListing(try makeCatalogue(["Cup"]))
        _ = try await cache.encoded(cup).value
        #expect(try await cache.encoded(try #require(held)).value === encoded)
        held = nil
        #expect(catalogue == nil)
        try await eventually { encoded == nil }
        #expect(cache.encoded(cup).ready != nil)
    }

    @Test func `bytes count until the client has them, and keep nothing else alive`() async throws {
        let cache = ListingCache(capacity: 4)
        var encoded: EncodedListing? = try await cache.encoded(makeListing(try makeCatalogue(["Mug"]))).value
        weak let remembered = encoded
        var body = encoded?.plain.whole.representation.body
        encoded = nil
        let cup = try await cache.encoded(makeListing(try makeCatalogue(["Cup"]))).value.plain.whole.representation.body
        try await eventually { remembered == nil }
        #expect(cache.memory.encodings == cup.count + (body?.count ?? 0))
        body = nil
        #expect(cache.memory.encodings == cup.count)
    }

    @Test func `a replacing cache continues the times of modification`() async throws {
        let clock = WallClock { Date(timeIntervalSince1970: 1_800_000_000.5) }
        let listing = makeListing(try makeCatalogue())
        let first = ListingCache(variants: 1, wallClock: clock)
        let second = ListingCache(variants: 1, wallClock: clock, replacing: first)
        #expect(try await first.encoded(listing).value.lastModified.seconds == 1_800_000_000)
        #expect(try await second.encoded(listing).value.lastModified.seconds == 1_800_000_001)
    }
}
