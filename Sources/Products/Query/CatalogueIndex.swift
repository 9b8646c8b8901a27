internal import Concurrency

/// Indexes one catalogue for queries, by many tasks at once.
///
/// The first query that needs a part makes it, in up to some ten milliseconds for 50,000 products, unless it was
/// prepared; after that a query takes less than ten. Both are too long for an event loop.
package final class CatalogueIndex: Sendable {
    package let catalogue: Catalogue
    package let marks: PopularityMarks
    private let parts: CatalogueIndexParts

    /// Creates an index, which makes no part yet.
    package init(_ catalogue: Catalogue, _ marks: PopularityMarks) {
        self.catalogue = catalogue
        self.marks = marks
        parts = CatalogueIndexParts(catalogue)
    }

    /// The identity of results in addition to the query; cursors are bound to it.
    package var revision: String { "\(catalogue.revision)-\(marks.rule.salesOver)" }

    /// The positions of the parts that queries have needed; they are the same in every index.
    package var wantedParts: Set<Int> {
        Set(parts.all.enumerated().lazy.filter { $0.element.isWanted }.map(\.offset))
    }

    /// Makes the parts at these positions, all by default, so that later queries need not wait.
    package func prepare(_ wanted: Set<Int>? = nil) {
        for (position, part) in parts.all.enumerated() where wanted?.contains(position) != false { part.prepare() }
    }

    package var byteCount: Int { parts.all.reduce(0) { $0 + $1.byteCount } }

    package var madeParts: Int { parts.all.count(where: \.isMade) }

    /// Finds the page of a query.
    /// - Throws: `ofAnotherQuery` or `ofAnotherRevision` for a cursor of another query or catalogue.
    package func page(of query: ProductsQuery) throws(PageCursorProblem) -> ProductsPage {
        let skipped = try query.cursor?.position(in: query, revision: revision) ?? 0
        let found = sorted(matches(of: query), by: query.sort)
        let rest = found.dropFirst(skipped)
        let page = rest.prefix(max(0, query.limit ?? rest.count))
        let next = page.endIndex < found.endIndex ? page.endIndex : nil
        return ProductsPage(
            positions: page.map { Int($0) }, total: found.count,
            next: next.map { PageCursor(skipping: $0, of: query, revision: revision) })
    }

    private func sorted(_ positions: [Int32], by keys: [ProductsSortKey]) -> [Int32] {
        guard !keys.isEmpty, positions.count > 1 else { return positions }
        return RankedOrder.sorted(positions, by: keys.map { (parts.ranking(by: $0.member), $0.isDescending) })
    }

    /// The positions of the products that pass all filters, in catalogue order. Cheap filters come first, and the rest is
    /// skipped when no product is left.
    private func matches(of query: ProductsQuery) -> [Int32] {
        var matches = PositionSet(allOf: catalogue.count)
        if let ids = query.ids { matches.formIntersection(positions(ofIDs: ids)) }
        if let types = query.types { matches.formIntersection(positions(of: types, in: parts.types.value)) }
        if let categories = query.categories {
            matches.formIntersection(positions(of: categories, in: parts.categories.value))
        }
        if let popular = query.popular, !matches.isEmpty { matches.formIntersection(positions(popular: popular)) }
        if query.minPrice != nil || query.maxPrice != nil, !matches.isEmpty {
            matches.formIntersection(positions(inPriceRangeOf: query))
        }
        for word in query.words.sorted(by: { $0.folded.utf8.count > $1.folded.utf8.count }) where !matches.isEmpty {
            matches.formIntersection(parts.words.value.positions(containing: word))
        }
        return matches.positions
    }

    private func positions(ofIDs ids: Set<ExactText>) -> PositionSet {
        let positions = ids.lazy.map(\.text).compactMap(catalogue.position(ofID:))
        return PositionSet(outOf: catalogue.count, positions.map { Int32($0) })
    }

    private func positions(of keys: Set<ExactText>, in groups: [String: [Int32]]) -> PositionSet {
        PositionSet(outOf: catalogue.count, keys.lazy.compactMap { groups[$0.text] }.joined())
    }

    private func positions(popular: Bool) -> PositionSet {
        PositionSet(outOf: marks.isPopular.count) { marks.isPopular[$0] == popular }
    }

    private func positions(inPriceRangeOf query: ProductsQuery) -> PositionSet {
        let prices = parts.prices.value
        let wanted = prices.ranks(from: query.minPrice, through: query.maxPrice)
        return PositionSet(outOf: prices.ranking.ranks.count) { wanted.contains(prices.ranking.ranks[$0]) }
    }
}

/// The parts of an index, each made on first use: one for each member to sort or filter by.
private final class CatalogueIndexParts: Sendable {
    let types: IndexPart<[String: [Int32]]>
    let categories: IndexPart<[String: [Int32]]>
    let prices: IndexPart<PriceRanking>
    let words: IndexPart<WordIndex>
    private let rankings: [ProductsSortKey.Member: IndexPart<Ranking>]

    init(_ catalogue: Catalogue) {
        types = IndexPart(size: Self.size(of:)) { Self.groups(catalogue) { $0.typeName } }
        categories = IndexPart(size: Self.size(of:)) { Self.groups(catalogue) { $0.category } }
        prices = IndexPart(size: \.byteCount) { PriceRanking(catalogue) }
        words = IndexPart(size: \.byteCount) { WordIndex(catalogue) }
        rankings = [
            .id: Self.ranking { Ranking(catalogue, by: \.idRange) },
            .name: Self.ranking { Ranking(folding: catalogue, \.nameRange) },
            .sales: Self.ranking { Self.sales(catalogue) },
            .type: Self.ranking { Ranking(catalogue, by: \.typeRange) },
            .category: Self.ranking { Ranking(folding: catalogue) { $0.range(of: ProductMember.category) } },
        ]
    }

    func ranking(by member: ProductsSortKey.Member) -> Ranking {
        rankings[member]?.value ?? prices.value.ranking
    }

    /// Every part, in the same order in every index.
    var all: [any PreparablePart] {
        [types, categories, prices, words] + ProductsSortKey.Member.allCases.compactMap { rankings[$0] }
    }

    private static func ranking(_ make: @escaping @Sendable () -> Ranking) -> IndexPart<Ranking> {
        IndexPart(size: \.byteCount, make: make)
    }

    private static func sales(_ catalogue: Catalogue) -> Ranking {
        let sales = catalogue.texts.enumerated().map { ($1.sales, Int32($0)) }
        return Ranking(sales, outOf: catalogue.count) { _, _, _ in false }
    }

    private static func size(of groups: [String: [Int32]]) -> Int {
        groups.values.reduce(0) { $0 + $1.count * MemoryLayout<Int32>.stride }
    }

    private static func groups(_ catalogue: Catalogue, by key: (ProductText) -> String?) -> [String: [Int32]] {
        var groups: [String: [Int32]] = [:]
        for (position, product) in catalogue.texts.enumerated() {
            if let key = key(product) { groups[key, default: []].append(Int32(position)) }
        }
        return groups
    }
}

/// A part of an index that can be made before a query wants it.
protocol PreparablePart: Sendable {
    /// Whether a query has wanted it; preparing does not count.
    var isWanted: Bool { get }

    /// Whether it has been made.
    var isMade: Bool { get }

    /// Roughly how many bytes it takes; 0 before it is made.
    var byteCount: Int { get }

    /// Makes it, unless it is made already.
    func prepare()
}

/// A lazy part of an index, whose size is known.
final class IndexPart<Value: Sendable>: PreparablePart {
    private let size: @Sendable (Value) -> Int
    private let part: WantedLazy<Value>

    /// - Parameters:
    ///   - size: how many bytes a value takes, roughly.
    ///   - make: makes the value.
    init(size: @escaping @Sendable (Value) -> Int, make: @escaping @Sendable () -> Value) {
        self.size = size
        part = WantedLazy(make: make)
    }

    /// The value, which counts as wanted from now on.
    var value: Value {
        part.want()
        return part.lazy.value
    }

    var isWanted: Bool { part.isWanted }

    var isMade: Bool { part.lazy.kept != nil }

    var byteCount: Int { part.lazy.kept.map(size) ?? 0 }

    func prepare() {
        _ = part.lazy.value
    }
}
