package import JSON
internal import Products

/// The variants of an upstream's products, and the places of our members in a variant.
package struct VariantsMapping: Sendable {
    /// The place of the variants.
    package enum Place: Sendable {
        /// A list within the item; of several paths all lists count.
        case within(PathAlternatives)
        /// Items of their own, which name the id of their product at a path.
        case items(parent: ItemPath)
    }

    package var place: Place
    /// The conditions of a variant; all others are left out.
    package var conditions: [ItemCondition]
    /// Mapped members of a variant, by paths within it.
    package var fields: [FieldMapping]
    /// Chooses which of the unmapped members of a variant are kept.
    package var attributes: AttributePolicy

    package init(
        place: Place, conditions: [ItemCondition] = [], fields: [FieldMapping] = [], attributes: AttributePolicy = .keep
    ) {
        (self.place, self.conditions, self.fields, self.attributes) = (place, conditions, fields, attributes)
    }

    /// The path to the product of a variant that is an item of its own.
    package var parent: ItemPath? {
        if case .items(let parent) = place { parent } else { nil }
    }

    /// The paths to the variants in an item.
    package var paths: PathAlternatives {
        switch place {
        case .within(let paths): paths
        case .items: PathAlternatives(ItemPath([.child(SoldVariants.name)]))
        }
    }

    /// The places of its members in an item, to find those that lead nowhere.
    var places: [(ours: String, theirs: PathAlternatives)] {
        fields.flatMap(\.places).map { place in
            let theirs = paths.paths.flatMap { list in
                place.theirs.paths.map { ItemPath(list.steps + (list.leadsToElements ? [] : [.every]) + $0.steps) }
            }
            return ("\(SoldVariants.name).\(place.ours)", PathAlternatives(theirs) ?? place.theirs)
        }
    }
}

/// The source of the variants in which a product is sold.
struct VariantsSource: Sendable {
    private let paths: PathAlternatives
    private let conditions: [ItemCondition]
    private let rewriter: ItemRewriter
    /// The source of the product's currency, for prices that state none.
    private let currency: MemberSource?

    init(_ mapping: VariantsMapping, currency: MemberSource?) {
        (paths, conditions) = (mapping.paths, mapping.conditions)
        rewriter = ItemRewriter(
            CatalogueMapping(fields: mapping.fields, attributes: mapping.attributes), .variant)
        self.currency = currency
    }

    /// Returns the variants in our form; nil if there are none.
    func value(in item: JSONValue, _ context: ItemContext) throws(ItemProblem) -> JSONValue? {
        let found = paths.paths.flatMap { path in path.values(in: item).flatMap { $0.array ?? [$0] } }
        let theirs = found.filter { variant in conditions.allSatisfy { $0.holds(for: variant) } }
        if theirs.isEmpty { return nil }
        let currency = try currency?.value(in: item, context)
        var ours: [JSONValue] = []
        for (index, variant) in theirs.enumerated() {
            let place = "\(SoldVariants.name)[\(index)]"
            guard let variant = variant.object else {
                throw ItemProblem(ours: place, problem: ValueProblem(expected: "an object", found: variant).problem)
            }
            do throws(ItemProblem) {
                ours.append(.object(try Self.priced(rewriter.rewritten(variant, at: context.time, in: currency))))
            } catch {
                throw ItemProblem(ours: "\(place).\(error.ours)", theirs: error.theirs, problem: error.problem)
            }
        }
        return .array(ours)
    }

    /// Returns the source for copying; nil for rules that need values.
    func copied(_ kind: ProductKind?) -> ItemCopy.Source? {
        let copied = (
            paths.paths.compactMap { CopiedPath($0) }, conditions.compactMap(\.copied), currency?.copied(kind)
        )
        guard copied.0.count == paths.paths.count, copied.1.count == conditions.count,
            (copied.2 == nil) == (currency == nil), let copy = rewriter.copy(of: nil)
        else { return nil }
        return .variants(CopiedVariants(paths: copied.0, conditions: copied.1, copy: copy, currency: copied.2))
    }

    /// Returns the variant with its price in plain notation, as products have theirs.
    private static func priced(_ variant: JSONObject) throws(ItemProblem) -> JSONObject {
        guard var price = variant["price"]?.object, let amount = price["amount"] else { return variant }
        if let problem = variant.priceProblem { throw problem }
        guard let plain = amount.number?.divided(byTenTo: 0) else {
            let problem = ValueProblem(expected: "a number of sensible size", found: amount).problem
            throw ItemProblem(ours: "price.amount", problem: problem)
        }
        price["amount"] = .number(plain)
        var variant = variant
        variant["price"] = .object(price)
        return variant
    }
}

/// Moves items that are variants into the items of their products.
struct VariantGrouping: Sendable {
    private let parent: ItemPath
    private let ids: [JSONPath]

    /// - Parameter ids: the paths to an item's id, in order of preference.
    init?(_ mapping: VariantsMapping?, ids: [JSONPath]) {
        guard let parent = mapping?.parent else { return nil }
        (self.parent, self.ids) = (parent, ids)
    }

    /// Returns the products with their places among the items, and the places of variants whose product is missing.
    func grouped(_ items: [JSONValue]) -> (
        products: [(index: Int, item: JSONValue)], orphans: [(index: Int, parent: String)]
    ) {
        let parents = items.map { Self.parentID(of: $0, at: parent) }
        var (products, places): ([(index: Int, item: JSONValue)], [String: Int]) = ([], [:])
        for (index, item) in items.enumerated() where parents[index] == nil {
            if let id = ids.lazy.compactMap({ item[$0]?.scalarText }).first { places[id] = products.count }
            products.append((index, item))
        }
        var (variants, orphans): ([Int: [JSONValue]], [(index: Int, parent: String)]) = ([:], [])
        for case (let index, let parent?) in parents.enumerated() {
            if let place = places[parent] {
                variants[place, default: []].append(items[index])
            } else {
                orphans.append((index, parent))
            }
        }
        for (place, variants) in variants {
            guard case .object(var product) = products[place].item else { continue }
            product[SoldVariants.name] = .array(variants)
            products[place].item = .object(product)
        }
        return (products, orphans)
    }

    /// The id of an item's product; nil for a product, which often states zero.
    fileprivate static func parentID(of item: JSONValue, at parent: ItemPath) -> String? {
        guard let text = parent.first(in: item)?.scalarText, !["", "0", "false"].contains(text) else { return nil }
        return text
    }
}

extension MappedCatalogueFormat {
    /// Returns the element of a product and behind it the elements of its variants; none if no element has the id. A variant that is an
    /// item of its own leads to its product.
    package func elements(of id: String, among elements: [JSONValue]) -> [JSONValue] {
        let ids = elements.map { element in idPaths.lazy.compactMap { element[$0]?.scalarText }.first }
        guard let index = elements.indices.first(where: { ids[$0] == id || self.id(of: elements[$0]) == id }) else {
            return []
        }
        guard let parent = mapping.variants?.parent else { return [elements[index]] }
        let product = VariantGrouping.parentID(of: elements[index], at: parent) ?? ids[index]
        let variants = elements.filter { VariantGrouping.parentID(of: $0, at: parent) == product }
        return zip(elements, ids).filter { $1 == product }.prefix(1).map(\.0) + variants
    }

    /// The id of an item by the rules of the mapping, such as `last_segment`.
    private func id(of element: JSONValue) -> String? {
        let item = mapping.item.flatMap { element[$0] } ?? element
        let field = mappedFields.first { NativeCatalogueDecoder.idPaths == [$0.ours] }
        guard let field else { return nil }
        return field.theirs.paths.lazy.compactMap { path in
            (try? field.texts.applied(to: path.values(in: item)))?.first?.scalarText
        }.first
    }
}

/// A value that an item has to have: one of these texts at a path.
package struct ItemCondition: Sendable, Hashable {
    package let path: PathAlternatives
    package let texts: Set<String>
    /// The texts that are numbers, for numbers in another notation.
    private let numbers: [JSONNumber]

    package init(path: PathAlternatives, texts: Set<String>) {
        (self.path, self.texts) = (path, texts)
        numbers = texts.compactMap(JSONNumber.init(literal:))
    }

    /// The condition for copying; nil if it needs values.
    var copied: CopiedCondition? { CopiedCondition(at: path.paths, texts) }

    func holds(for item: JSONValue) -> Bool {
        path.paths.contains { path in
            path.values(in: item).contains { value in
                value.scalarText.map(texts.contains) ?? false
                    || value.number.map { number in numbers.contains(where: number.isEqual) } ?? false
            }
        }
    }
}
