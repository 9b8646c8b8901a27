import Products
import ProductsTestSupport
import Testing
import TestSupport

struct CatalogueDifferenceTests {
    /// Ids in an order, and the sales of each.
    private typealias Content = [(id: Int, sales: Int)]

    private static func text(_ content: Content) -> [UInt8] {
        let items = content.map { id, sales in
            #"{"type":"physical","id":"p\#(id)","name":"Mug","price":{"amount":1,"currency":"EUR"},"sales":\#(sales)}"#
        }
        return Array("[\(items.joined(separator: ","))]".utf8)
    }

    private static func next(after content: Content, by random: inout SeededGenerator) -> Content {
        var next = content.filter { _ in random.chance(85) }.map {
            ($0.id, random.chance(20) ? $0.sales + 1 : $0.sales)
        }
        for id in 0..<40 where random.chance(10) && !next.contains(where: { $0.0 == id }) {
            next.insert((id, 0), at: Int.random(in: 0...next.count, using: &random))
        }
        if random.chance(10) { next.shuffle(using: &random) }
        return next
    }

    /// The products by id after a difference was applied to those before it.
    private static func applied(_ difference: CatalogueDifference) -> [String: [UInt8]] {
        var products = byID(difference.from)
        for position in difference.removed { products[difference.from.text(at: position).id] = nil }
        for position in difference.changed.map(\.after) + difference.added {
            products[difference.to.text(at: position).id] = bytes(difference.to, position)
        }
        return products
    }

    private static func byID(_ catalogue: Catalogue) -> [String: [UInt8]] {
        Dictionary(
            uniqueKeysWithValues: (0..<catalogue.count).map { (catalogue.text(at: $0).id, bytes(catalogue, $0)) })
    }

    private static func bytes(_ catalogue: Catalogue, _ position: Int) -> [UInt8] {
        Array(catalogue.encoded[catalogue.ranges[position]])
    }

    @Test(arguments: 0..<50)
    func `applied to the earlier catalogue it gives the later one, recognised or not`(seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        var (content, known, history): (Content, KnownProducts?, [Catalogue]) = ([(1, 0), (2, 0)], nil, [])
        for _ in 0..<12 {
            let decoded = try NativeCatalogueDecoder().decode(Self.text(content), knowing: known)
            let catalogue = try Catalogue(decoded)
            known = KnownProducts(catalogue, from: decoded)
            history.append(catalogue)
            content = Self.next(after: content, by: &random)
        }
        for (number, later) in history.enumerated() {
            for earlier in history[...number] {
                let difference = CatalogueDifference(from: earlier, to: later)
                #expect(Self.applied(difference) == Self.byID(later))
                let isEmpty = (difference.added + difference.removed + difference.changed.map(\.after)).isEmpty
                #expect(isEmpty == (Self.byID(earlier) == Self.byID(later)))
                #expect(difference.changed.allSatisfy { earlier.text(at: $0.before).id == later.text(at: $0.after).id })
            }
        }
    }
}
