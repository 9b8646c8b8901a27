internal import Decoding
internal import FoundationEssentials
internal import JSON
package import Products

/// Indexes one catalogue for queries, by many tasks at once.
///
/// A part is made by the first query that needs it, unless it was prepared. That takes tens of milliseconds for 50,000
/// products, later queries less than ten. Both are too long for an event loop.
package final class CatalogueIndex: Sendable {
    package let catalogue: Catalogue
    package let marks: PopularityMarks
    package let members: FindableMembers
    private let parts: CatalogueIndexParts

    /// Creates an index, which makes no part yet.
    /// - Parameter members: the members by which clients find products besides those of every catalogue.
    package init(_ catalogue: Catalogue, _ marks: PopularityMarks, findable members: FindableMembers = .init()) {
        self.catalogue = catalogue
        self.marks = marks
        self.members = members
        parts = CatalogueIndexParts(catalogue, members)
    }

    /// The identity of the products as clients get them.
    package var revision: String { "\(catalogue.revision)-\(marks.rule.salesOver)" }

    /// The identity of results in addition to the query, to which cursors are bound.
    private var cursorRevision: String { revision + members.fingerprint }

    /// The names of the parts that queries have needed.
    package var wantedParts: Set<String> { Set(parts.all.lazy.filter(\.isWanted).map(\.name)) }

    /// Makes the parts with these names, all by default, so that later queries need not wait.
    /// - Parameter earlier: an index whose parts are shared where none of their members has changed.
    /// - Returns: the names of the shared parts.
    @discardableResult
    package func prepare(_ wanted: Set<String>? = nil, after earlier: CatalogueIndex? = nil) -> Set<String> {
        let wanted = parts.all.filter { wanted?.contains($0.name) != false }
        var shared: Set<String> = []
        if let earlier, earlier.members == members {
            shared = earlier.parts.lend(wanted) { ChangedMembers(from: earlier.catalogue, to: catalogue) }
        }
        for part in wanted { part.prepare() }
        return shared
    }

    package var byteCount: Int { parts.all.reduce(0) { $0 + $1.byteCount } }

    package var madeParts: Int { parts.all.count(where: \.isMade) }

    /// Finds the page of a query.
    /// - Throws: `ofAnotherQuery` or `ofAnotherRevision` for a cursor of another query or catalogue.
    package func page(of query: ProductsQuery) throws(PageCursorProblem) -> ProductsPage {
        let revision = cursorRevision
        let skipped = try query.cursor?.position(in: query, revision: revision) ?? 0
        let matching = matches(of: query)
        let found = sorted(matching.positions, by: query.sort)
        let rest = found.dropFirst(skipped)
        let page = rest.prefix(max(0, query.limit ?? rest.count))
        let next = page.endIndex < found.endIndex && query.limit != 0 ? page.endIndex : nil
        let variant = found.isEmpty ? nil : wantedVariant(query)
        return ProductsPage(
            positions: page.map { Int($0) }, total: found.count,
            next: next.map { PageCursor(skipping: $0, of: query, revision: revision) },
            facets: query.facets.map { FacetCounts(name: $0, values: counts(of: $0, query, matching)) },
            variant: variant)
    }

    /// The product, or variant, with a value of a declared key.
    private func match(key: String, _ value: String) -> KeyIndex.Match? {
        parts.declared.value.keys[key]?.match(value)
    }

    /// The index of a declared key, which counts as wanted; nil before it is made.
    package func made(key: String) -> KeyIndex? { parts.declared.wantedIfMade?.keys[key] }

    /// Indexes the declared keys and attributes.
    package func prepareDeclared() async { await parts.declared.want() }

    /// The variant that the first wanted key found, in the order of the declaration.
    private func wantedVariant(_ query: ProductsQuery) -> String? {
        for key in members.keys {
            let wanted = query.declared.first { $0.key.member == key.name && $0.key.comparison == .isKey }
            guard let value = wanted?.value.first?.text else { continue }
            return match(key: key.name, value).flatMap { name(of: $0, value) }
        }
        return nil
    }

    /// The id or SKU of the variant that a key found, or else the key; nil if the product itself has the key.
    package func name(of match: KeyIndex.Match, _ value: String) -> String? {
        match.variant == nil ? nil : match.variantName(in: catalogue) ?? value
    }

    /// The tree of the categories, with the number of the products in each and below it.
    package var categoryTree: [CategoryCount] { parts.tree.value }

    /// Whether a category has this name, id or path.
    package func hasCategory(_ name: String) -> Bool {
        CategoryCount.isIn(categoryTree, named: name, members.categorySeparator)
    }

    /// The declared keys and attributes; nil before they are indexed.
    /// - Parameter making: whether they are indexed if they are not.
    func declared(making: Bool) -> DeclaredIndex? { making ? parts.declared.prepared : parts.declared.made }

    /// Counts the values of one member among the products that pass the filters by all others.
    /// - Parameter matching: the products that pass all filters.
    private func counts(of facet: String, _ query: ProductsQuery, _ matching: PositionSet) -> [FacetCount] {
        let found = query.hasFilter(by: facet) ? matches(of: query, except: facet) : matching
        var counts: [FacetCount]
        switch ProductsQueryParameter(rawValue: facet) {
        case .type:
            counts = parts.types.value.sorted { $0.key < $1.key }.map { type, positions in
                FacetCount(.string(type), positions.count { found.contains(Int($0)) })
            }
        case .popular:
            let positions = found.positions
            let popular = positions.count { marks.isPopular[Int($0)] }
            counts = [FacetCount(.bool(true), popular), FacetCount(.bool(false), positions.count - popular)]
        case .category:
            counts = CategoryCount.flattened(parts.categories.value.tree(among: found)).map {
                FacetCount(.string($0.text(members.categorySeparator)), $0.count)
            }
        default:
            guard let number = members.attribute(named: facet)?.number else { return [] }
            let column = parts.declared.value.columns[number]
            let numbers = Self.most(column.counts(among: found.positions), query.facetLimit)
            return numbers.map { FacetCount(column.shown[$0.index], $0.count) }
        }
        return Self.most(counts.map(\.count), query.facetLimit).map { counts[$0.index] }
    }

    /// The greatest counts with their indexes; equal ones stay in their order.
    private static func most(_ counts: [Int], _ limit: Int) -> ArraySlice<(index: Int, count: Int)> {
        counts.enumerated().filter { $0.element > 0 }.map { (index: $0.offset, count: $0.element) }
            .sorted { $0.count == $1.count ? $0.index < $1.index : $0.count > $1.count }.prefix(limit)
    }

    private func sorted(_ positions: [Int32], by keys: [ProductsSortKey]) -> [Int32] {
        guard !keys.isEmpty, positions.count > 1 else { return positions }
        return RankedOrder.sorted(positions, by: keys.map { (parts.ranking(by: $0), $0.isDescending) })
    }

    /// The products that pass all filters. The search for words comes last, since it costs most. Filters are skipped when
    /// no product is left.
    /// - Parameter facet: the member by which no filter counts.
    private func matches(of query: ProductsQuery, except facet: String? = nil) -> PositionSet {
        var matches = PositionSet(allOf: catalogue.count)
        for (parameter, values) in query.declared where parameter.member != facet && !matches.isEmpty {
            matches.formIntersection(positions(parameter, values, of: query))
        }
        for parameter in ProductsQueryParameter.allCases where parameter != .q && parameter.rawValue != facet {
            narrow(&matches, to: parameter, of: query)
        }
        narrow(&matches, to: .q, of: query)
        return matches
    }

    private func positions(
        _ parameter: DeclaredParameter, _ values: Set<ExactText>, of query: ProductsQuery
    ) -> PositionSet {
        if parameter.comparison == .isKey {
            let found = values.compactMap { match(key: parameter.member, $0.text) }
            return PositionSet(outOf: catalogue.count, found.map { Int32($0.position) })
        }
        guard let number = members.attribute(named: parameter.member)?.number else {
            return PositionSet(outOf: catalogue.count)
        }
        let column = parts.declared.value.columns[number]
        // Both bounds are one filter: one value has to be within both.
        guard [.isAtLeast, .isAtMost].contains(parameter.comparison) else {
            return column.positions(parameter.comparison, values)
        }
        func bound(_ comparison: DeclaredParameter.Comparison) -> ExactText? {
            query.declared.first { $0.key.member == parameter.member && $0.key.comparison == comparison }?.value.first
        }
        return column.positions(from: bound(.isAtLeast), through: bound(.isAtMost))
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
        case .category: if let names = query.categories { keep(parts.categories.value.positions(in: names)) }
        case .popular: if let popular = query.popular { keep(positions(popular: popular)) }
        case .minPrice: if query.minPrice != nil { keep(positions(inPriceRangeOf: query)) }
        // Both bounds are one filter.
        case .maxPrice: if query.minPrice == nil, query.maxPrice != nil { keep(positions(inPriceRangeOf: query)) }
        case .q:
            for word in query.words.sorted(by: { $0.folded.utf8.count > $1.folded.utf8.count }) {
                keep(parts.words.value.positions(containing: word))
            }
        case .limit, .cursor, .sort, .fields, .view, .facets, .facetLimit, .variants: break
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
        func text(_ amount: Decimal?) -> ExactText? {
            amount.map { ExactText(ExactDecimal($0).digits?.literal ?? "") }
        }
        return parts.prices.value.positions(from: text(query.minPrice), through: text(query.maxPrice))
    }
}
