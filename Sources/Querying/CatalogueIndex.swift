internal import Concurrency
package import Products

/// Indexes one catalogue for queries, by many tasks at once.
///
/// A part is made by the first query that needs it, unless it was prepared. That takes tens of milliseconds for 50,000
/// products, later queries less than ten. Both are too long for an event loop.
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

    /// The positions of the products that pass all filters, in catalogue order. The search for words comes last, since
    /// it costs most. Filters are skipped when no product is left.
    private func matches(of query: ProductsQuery) -> [Int32] {
        var matches = PositionSet(allOf: catalogue.count)
        let parameters = ProductsQueryParameter.allCases
        for parameter in parameters where parameter.form != .words { narrow(&matches, to: parameter, of: query) }
        for parameter in parameters where parameter.form == .words { narrow(&matches, to: parameter, of: query) }
        return matches.positions
    }

    /// Removes the products that do not pass the filter of one parameter.
    private func narrow(
        _ matches: inout PositionSet, to parameter: ProductsQueryParameter, of query: ProductsQuery
    ) {
        func keep(_ positions: @autoclosure () -> PositionSet) {
            if !matches.isEmpty { matches.formIntersection(positions()) }
        }
        switch parameter {
        case .ids: if let ids = query.ids { keep(positions(ofIDs: ids)) }
        case .type: if let types = query.types { keep(positions(of: types, in: parts.types.value)) }
        case .category: if let names = query.categories { keep(positions(of: names, in: parts.categories.value)) }
        case .popular: if let popular = query.popular { keep(positions(popular: popular)) }
        case .minPrice: if query.minPrice != nil { keep(positions(inPriceRangeOf: query)) }
        // Both bounds are one filter.
        case .maxPrice: if query.minPrice == nil, query.maxPrice != nil { keep(positions(inPriceRangeOf: query)) }
        case .q:
            for word in query.words.sorted(by: { $0.folded.utf8.count > $1.folded.utf8.count }) {
                keep(parts.words.value.positions(containing: word))
            }
        case .limit, .cursor, .sort, .fields, .view: break
        }
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
    /// Every part, in the same order in every index.
    let all: [any PreparablePart]

    init(_ catalogue: Catalogue) {
        var made = MadeParts()
        types = made.part(size: Self.size(of:)) { Self.groups(catalogue) { [$0.typeName] } }
        categories = made.part(size: Self.size(of:)) { Self.groups(catalogue, by: \.categories) }
        prices = made.part(size: \.byteCount) { PriceRanking(catalogue) }
        words = made.part(size: \.byteCount) { WordIndex(catalogue) }
        rankings = ProductsSortKey.Member.allCases.reduce(into: [:]) { rankings, member in
            rankings[member] = Self.ranking(by: member, of: catalogue).map { made.part(size: \.byteCount, make: $0) }
        }
        all = made.parts
    }

    func ranking(by member: ProductsSortKey.Member) -> Ranking {
        rankings[member]?.value ?? prices.value.ranking
    }

    /// Returns nil for the price, whose ranking is a part of its own.
    private static func ranking(
        by member: ProductsSortKey.Member, of catalogue: Catalogue
    ) -> (@Sendable () -> Ranking)? {
        switch member {
        case .id: { Ranking(catalogue, by: \.idRange) }
        case .name: { Ranking(folding: catalogue, \.nameRange) }
        case .price: nil
        case .sales: { sales(catalogue) }
        case .type: { Ranking(catalogue, by: \.typeRange) }
        case .category: { Ranking(folding: catalogue) { $0.categoryRanges.first } }
        }
    }

    private static func sales(_ catalogue: Catalogue) -> Ranking {
        let sales = catalogue.texts.enumerated().map { ($1.sales, Int32($0)) }
        return Ranking(sales, outOf: catalogue.count) { _, _, _ in false }
    }

    private static func size(of groups: [String: [Int32]]) -> Int {
        groups.values.reduce(0) { $0 + $1.count * MemoryLayout<Int32>.stride }
    }

    private static func groups(_ catalogue: Catalogue, by keys: (ProductText) -> [String]) -> [String: [Int32]] {
        var groups: [String: [Int32]] = [:]
        for (position, product) in catalogue.texts.enumerated() {
            for key in keys(product) { groups[key, default: []].append(Int32(position)) }
        }
        return groups
    }
}

/// Makes the parts of an index, and lists them.
private struct MadeParts {
    private(set) var parts: [any PreparablePart] = []

    mutating func part<Value: Sendable>(
        size: @escaping @Sendable (Value) -> Int, make: @escaping @Sendable () -> Value
    ) -> IndexPart<Value> {
        let part = IndexPart(size: size, make: make)
        parts.append(part)
        return part
    }
}

/// A part of an index that can be made before a query needs it.
private protocol PreparablePart: Sendable {
    /// Whether a query has needed it; preparing does not count.
    var isWanted: Bool { get }

    /// Whether it has been made.
    var isMade: Bool { get }

    /// Roughly how many bytes it takes; 0 before it is made.
    var byteCount: Int { get }

    /// Makes it, unless it is made already.
    func prepare()
}

/// A lazy part of an index, whose size is known.
private final class IndexPart<Value: Sendable>: PreparablePart {
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
