import Compression
import Concurrency
import FoundationEssentials
import HTTPServer
import Products
import Querying
import ServingTestSupport
import Testing
import TestSupport

@testable import Serving

/// Listings that are made before they come into force.
@Suite(.timeLimit(.minutes(1)))
struct ListingPreparationTests {
    private let clock = ManualWallClock(now: Date(timeIntervalSince1970: 1_800_000_000))
    private let cache: ListingCache

    init() {
        cache = ListingCache(capacity: 4, isVaried: false, wallClock: WallClock { [clock] in clock.now })
    }

    private func listing(_ name: String) throws -> ProductsListing {
        makeListing(try makeCatalogue((0..<20).map { "\(name) \($0)" }))
    }

    private static let sorted = ProductsQuery(sort: [ProductsSortKey(.name)], limit: 1, view: .display)

    @Test func `the parts that requests wanted are ready at the first request`() async throws {
        let (mug, cup) = (try listing("Mug"), try listing("Cup"))
        let first = try await cache.encoded(mug).value
        _ = try await first.response(to: Self.sorted, .identity).value
        _ = try await first.response(to: nil, .gzip).value
        await cache.prepare(cup, replacing: mug.answer.snapshot.revision)
        let ready = try #require(cache.encoded(cup).ready)
        #expect(ready.index.madeParts == 1)
        #expect(ready.wanted == ListingParts())
        #expect(ready.response(to: nil, .gzip).ready != nil)
        #expect(ready.view(ProductsForm(view: .display)).ready != nil)
    }

    @Test func `the whole in gzip has the bytes of a listing without a predecessor`() async throws {
        let names = (0..<12_000).map { "Preserve of lot \($0), with \($0 &* 2_654_435_761 % 1000) grams of sugar" }
        let (old, new) = (
            makeListing(try makeCatalogue(names)), makeListing(try makeCatalogue(["New"] + names.dropFirst()))
        )
        _ = try await cache.encoded(old).value.response(to: nil, .gzip).value
        await cache.prepare(new, replacing: old.answer.snapshot.revision)
        let prepared = try #require(cache.encoded(new).ready?.response(to: nil, .gzip).ready)
        let alone = try await EncodedListing(new).response(to: nil, .gzip).value
        #expect(alone.representation.body.count > 1 << 16)
        #expect(prepared.representation.body.bytes == alone.representation.body.bytes)
        let packed = try #require(cache.encoded(new).ready).plain.gzip.state.withLock(\.packed)
        #expect(try #require(packed).reusedCount > prepared.representation.body.count / 2)
    }

    @Test func `a gzip that a request has made keeps no earlier one`() async throws {
        let names = (0..<12_000).map { "Preserve of lot \($0), with \($0 &* 2_654_435_761 % 1000) grams of sugar" }
        let (old, new) = (EncodedListing(makeListing(try makeCatalogue(names))), EncodedListing(try listing("Mug")))
        for listing in [old, new] { _ = try await listing.response(to: nil, .gzip).value }
        await new.prepare(ListingParts(compressed: [ProductsForm()]), after: old)
        let state = new.plain.gzip.state.withLock { $0 }
        #expect(state.packed?.reusedCount == 0)
        #expect(state.earlier == nil)
    }

    @Test func `parts of the index are shared with the earlier listing where no member has changed`() async throws {
        let listing = makeListing(try makeCatalogue(["Mug", "Cup"]))
        let (old, new) = (EncodedListing(listing), EncodedListing(listing))
        old.index.prepare()
        let parts = ListingParts(index: ["q", "price", "declared"])
        #expect(await new.prepare(parts, after: old) == ["q", "price"])
        #expect(await EncodedListing(listing).prepare(parts, after: nil).isEmpty)
    }

    @Test func `those that are prepared at once drive out nothing that is in force`() async throws {
        let cache = ListingCache(capacity: 3)
        let inForce = try ["Mug", "Cup", "Jar"].map(listing)
        for listing in inForce { _ = try await cache.encoded(listing).value }
        let ahead = try ["Pot", "Pan", "Lid"].map(listing)
        for (next, old) in zip(ahead, inForce) {
            await cache.prepare(next, replacing: old.answer.snapshot.revision)
        }
        #expect((inForce + ahead).allSatisfy { cache.encoded($0).ready != nil })
    }

    @Test func `parts that no request wanted are left`() async throws {
        let (mug, cup) = (try listing("Mug"), try listing("Cup"))
        _ = try await cache.encoded(mug).value
        await cache.prepare(cup, replacing: mug.answer.snapshot.revision)
        let ready = try #require(cache.encoded(cup).ready)
        #expect(ready.index.madeParts == 0)
        #expect(ready.response(to: nil, .gzip).ready == nil)
        #expect(ready.view(ProductsForm(view: .display)).ready == nil)
    }

    @Test func `the old revision stays in force meanwhile, and the new one is modified when it comes`() async throws {
        let (mug, cup) = (try listing("Mug"), try listing("Cup"))
        let first = try await cache.encoded(mug).value
        clock.advance(by: .seconds(10))
        await cache.prepare(cup, replacing: mug.answer.snapshot.revision)
        #expect(cache.encoded(mug).ready === first)
        clock.advance(by: .seconds(10))
        let second = try #require(cache.encoded(cup).ready)
        #expect(second.lastModified.seconds - first.lastModified.seconds == 20)
        clock.advance(by: .seconds(10))
        #expect(cache.encoded(cup).ready === second)
        let back = try #require(cache.encoded(mug).ready)
        #expect(back.lastModified.seconds - first.lastModified.seconds == 30)
    }

    @Test func `a catalogue is not prepared in place of one that no client got`() async throws {
        let (mug, cup, jar) = (try listing("Mug"), try listing("Cup"), try listing("Jar"))
        _ = try await cache.encoded(mug).value
        await cache.prepare(jar, replacing: cup.answer.snapshot.revision)
        #expect(cache.encoded(jar).ready == nil)
        #expect(cache.memory.catalogues == mug.answer.snapshot.catalogue.encoded.count)
    }

    @Test func `of two listings the one whose catalogue is released goes, in force or not`() async throws {
        var mug: ProductsListing? = try listing("Mug")
        var cup: ProductsListing? = try listing("Cup")
        let jar = try listing("Jar")
        _ = try await cache.encoded(try #require(mug)).value
        await cache.prepare(try #require(cup), replacing: try #require(mug).answer.snapshot.revision)
        cup = nil
        let size = try #require(mug).answer.snapshot.catalogue.encoded.count
        try await eventually { cache.memory.catalogues == size }
        #expect(cache.encoded(try #require(mug)).ready != nil)
        await cache.prepare(jar, replacing: try #require(mug).answer.snapshot.revision)
        mug = nil
        let other = jar.answer.snapshot.catalogue.encoded.count
        try await eventually { cache.memory.catalogues == other }
        #expect(cache.encoded(jar).ready != nil)
    }

    @Test func `a preparation leaves the listing of an equal catalogue that is in force`() async throws {
        var stored: ProductsListing? = try listing("Mug")
        let (mug, cup) = (try listing("Mug"), try listing("Cup"))
        _ = try await cache.encoded(try #require(stored)).value
        let lifetime = try #require(stored).answer.snapshot.catalogue.lifetime
        stored = nil
        try await eventually { lifetime.isOver }
        #expect(cache.encoded(mug).ready != nil)
        await cache.prepare(cup, replacing: mug.answer.snapshot.revision)
        #expect(cache.encoded(mug).ready != nil)
    }

    @Test func `requests that come during the preparation share its encoding`() async throws {
        let cup = try listing("Cup")
        async let prepared: Void = cache.prepare(cup)
        let asked = try await cache.encoded(cup).value
        await prepared
        #expect(cache.encoded(cup).ready?.plain === asked.plain)
        #expect(asked.lastModified.seconds == 1_800_000_000)
    }

    @Test func `a replacing cache prepares what requests wanted of the replaced one`() async throws {
        let first = ListingCache(variants: 1, wallClock: .system)
        _ = try await first.encoded(try listing("Mug")).value.response(to: Self.sorted, .identity).value
        let second = ListingCache(variants: 1, wallClock: .system, replacing: first)
        let cup = try listing("Cup")
        await second.prepare(cup)
        #expect(second.encoded(cup).ready?.index.madeParts == 1)
    }
}
