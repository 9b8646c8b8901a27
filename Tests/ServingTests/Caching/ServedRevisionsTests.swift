import Products
import ServingTestSupport
import TestSupport
import Testing

@testable import Serving

/// Differences that are kept instead of the catalogues.
struct ServedRevisionsTests {
    private static func next(after names: [String], by random: inout SeededGenerator) -> [String] {
        let others = ["Mug": "Cup", "Cup": "Jar", "Jar": "Tin", "Tin": "Mug"]
        let isWhole = random.chance(40)
        var next = names.map {
            isWhole ? others[$0, default: $0] : random.chance(20) ? random.pick(["Mug", "Cup", "Jar"]) : $0
        }
        if random.chance(30) { next.append("Tin") }
        if random.chance(30), next.count > 1 { next.removeLast() }
        return next
    }

    /// What a difference makes of the products of an earlier catalogue.
    private static func applied(_ difference: RevisionDifference, from earlier: Catalogue, to later: Catalogue)
        -> [String: UInt64]
    {
        var products = byID(earlier)
        for id in difference.removed {
            #expect(products.removeValue(forKey: id) != nil)
        }
        for position in difference.changed {
            #expect(
                products.updateValue(later.hash(at: position), forKey: later.text(at: position).id)
                    != later.hash(at: position))
        }
        for position in difference.added {
            #expect(products.updateValue(later.hash(at: position), forKey: later.text(at: position).id) == nil)
        }
        return products
    }

    private static func byID(_ catalogue: Catalogue) -> [String: UInt64] {
        Dictionary(
            uniqueKeysWithValues: (0..<catalogue.count).map { (catalogue.text(at: $0).id, catalogue.hash(at: $0)) })
    }

    @Test(arguments: 0..<60)
    func `steps lead from every served revision to every other one, also where one returns`(seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        let served = ServedRevisions()
        var names = ["Mug", "Cup", "Jar"]
        var history = [try makeCatalogue(names)]
        for _ in 0..<20 {
            names = random.chance(20) ? ["Mug", "Cup", "Jar"] : Self.next(after: names, by: &random)
            let catalogue = try makeCatalogue(names)
            // Some catalogues are made for a revision that another one replaces.
            served.record(from: random.chance(80) ? history[history.count - 1] : random.pick(history), to: catalogue)
            history.append(catalogue)
        }
        for earlier in history {
            for later in history where earlier.revision != later.revision {
                let difference = try #require(served.difference(from: earlier.revision, to: later))
                #expect(difference.since == earlier.revision)
                #expect(Self.applied(difference, from: earlier, to: later) == Self.byID(later))
                #expect(
                    difference.added == difference.added.sorted() && difference.changed == difference.changed.sorted())
            }
        }
        #expect(served.difference(from: "none", to: history[0]) == nil)
    }

    @Test func `the oldest steps are dropped beyond a size`() throws {
        let served = ServedRevisions()
        let catalogues = try (0..<8).map { number in try makeCatalogue((0..<20_000).map { "\(number) \($0)" }) }
        for (before, after) in zip(catalogues, catalogues.dropFirst()) { served.record(from: before, to: after) }
        #expect(served.byteCount <= 4 << 20 && served.byteCount > 2 << 20)
        let last = catalogues[7]
        #expect(served.difference(from: catalogues[6].revision, to: last)?.changed.count == 20_000)
        #expect(served.difference(from: catalogues[0].revision, to: last) == nil)
    }
}
