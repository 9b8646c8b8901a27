package import JSON
package import Products

/// Decodes an upstream's own JSON by a mapping.
///
/// Every item is rewritten into Larder's own form and decoded from there, so that a mapped product obeys the same rules
/// as a native one. Members that are neither mapped nor named by the kind become attributes in their order, if the
/// mapping keeps them. Errors name the item's index, our member, its place in the upstream's item and the value there.
package struct MappedCatalogueFormat: CatalogueDecoder {
    /// The paths to the items of a document, in order of preference.
    package let itemsPaths: [JSONPath]
    /// The paths to an item's id, in order of preference.
    package let idPaths: [JSONPath]
    package let mapping: CatalogueMapping
    /// The mapped members, to explain a product.
    package var mappedFields: [FieldMapping] { mapping.fields }
    /// The paths to the id within an item.
    private let ownIDPaths: [JSONPath]

    /// The number of skipped items whose reasons list the members that are there.
    private static let reasonLimit = 10

    private let item: JSONPath?
    private let conditions: [ItemCondition]
    private let rewriter: ItemRewriter?
    private let places: ItemPlaces
    private let matches: PathMatches
    private let attributes: AttributePolicy
    private let onBadItem: BadItemPolicy
    private let decoder: NativeCatalogueDecoder

    package init(mapping: CatalogueMapping) {
        self.mapping = mapping
        let own = mapping.keepsItems ? NativeCatalogueDecoder.itemsPaths : [.root]
        itemsPaths = mapping.items.map { [$0] } ?? own
        let id = mapping.fields.first { NativeCatalogueDecoder.idPaths == [$0.ours] }?.theirs
        let ids = id?.paths.compactMap(\.plain) ?? NativeCatalogueDecoder.idPaths
        idPaths = mapping.item.map { item in ids.compactMap { JSONPath("\(item).\($0)") } } ?? ids
        ownIDPaths = ids
        item = mapping.item
        conditions = mapping.conditions
        rewriter = mapping.keepsItems ? nil : ItemRewriter(mapping)
        places = ItemPlaces(mapping)
        matches = PathMatches(mapping)
        attributes = mapping.attributes
        onBadItem = mapping.onBadItem
        decoder = NativeCatalogueDecoder(unknownKinds: mapping.unknownKinds)
    }

    package func decode(_ body: [UInt8], knowing known: KnownProducts?) throws(ProductsFailure) -> DecodedProducts {
        // An error of the document is reported before errors of its items, which needs the whole tree.
        if let decoded = try? decodeItemByItem(body, knowing: known) { return decoded }
        return try decode(items: items(of: parsed(body)))
    }

    /// Decodes a document without making its whole tree.
    private func decodeItemByItem(_ body: [UInt8], knowing known: KnownProducts?) throws -> DecodedProducts? {
        guard let range = try JSONParser().arrayRange(at: itemsPaths, in: body) else { return nil }
        var findings = Findings(matches: matches)
        var decoded = try decoder.decode(body, array: range, knowing: known) { element, index, decoded in
            try append(element, at: index, to: &decoded, &findings)
        }
        // Recognised items are not searched again.
        if known == nil { findings.add(to: &decoded) }
        return findings.bad > 0 && decoded.products.isEmpty ? nil : decoded
    }

    package func decode(items: [JSONValue]) throws(ProductsFailure) -> DecodedProducts {
        var (decoded, findings) = (DecodedProducts(), Findings(matches: matches))
        for (index, element) in items.enumerated() { try append(element, at: index, to: &decoded, &findings) }
        findings.add(to: &decoded)
        if findings.bad > 0, decoded.products.isEmpty, let first = decoded.skipped.first {
            throw .malformed(detail: "no item of \(items.count) is good; the first: \(first.reason)")
        }
        return decoded.closed()
    }

    /// The problems that decoding finds, beside the products.
    private struct Findings {
        /// The number of bad items that were skipped.
        var bad = 0
        var matches: PathMatches
        var internalMembers = InternalMembers()

        func add(to decoded: inout DecodedProducts) {
            (decoded.unmatched, decoded.internalMembers) = (matches.texts, internalMembers.names)
        }
    }

    /// Appends the item of an element, leaves it out by the conditions, or skips a bad one.
    private func append(
        _ element: JSONValue, at index: Int, to decoded: inout DecodedProducts, _ findings: inout Findings
    ) throws(ProductsFailure) {
        // An element without an item is bad, and is not left out.
        let item = item.map { element[$0] ?? .null } ?? element
        let isTaken = item.isNull || conditions.allSatisfy { $0.holds(for: item) }
        findings.matches.record(item, isTaken: isTaken)
        guard isTaken else {
            decoded.leftOut += 1
            return
        }
        do throws(ProductsFailure) {
            try append(item, at: index, to: &decoded, &findings.internalMembers)
        } catch .malformed(let detail, let source) where onBadItem == .skip {
            let id = source.item.map { "; its id is \"\($0)\"" } ?? ""
            decoded.skipped.append(SkippedItem(index: index, reason: detail + id))
            findings.bad += 1
        }
    }

    private func append(
        _ item: JSONValue, at index: Int, to decoded: inout DecodedProducts, _ internalMembers: inout InternalMembers
    ) throws(ProductsFailure) {
        guard case .object(let theirs) = item else {
            throw .malformed(detail: "[\(index)]: expected an object, found \(item.kindName)")
        }
        let ours = try rewritten(theirs, at: index)
        if let rewriter { internalMembers.record(ours, rewriter.isChosen) }
        if onBadItem == .skip, let problem = ours.invariantProblem {
            throw .malformed(detail: problem.detail(at: index), at: FailureSource(itemID: ours["id"]))
        }
        let change: ((any Product) -> any Product)? = attributes == .keep ? nil : { restricted($0) }
        do throws(ProductsFailure) {
            try decoder.append(ours, at: index, to: &decoded, changing: change)
        } catch .malformed(let detail, let source) {
            throw .malformed(
                detail: places.naming(detail, at: index, in: decoded.skipped.count < Self.reasonLimit ? item : nil),
                at: source)
        }
    }

    /// Applies the attribute policy where the rewriter does not: to items in our own form, and to nested products.
    private func restricted(_ product: any Product) -> any Product {
        rewriter == nil ? attributes.applied(to: product) : attributes.appliedWithin(product)
    }

    private func rewritten(_ theirs: JSONObject, at index: Int) throws(ProductsFailure) -> JSONObject {
        guard let rewriter else { return theirs }
        do {
            return try rewriter.rewritten(theirs)
        } catch {
            let id = ownIDPaths.compactMap { JSONValue.object(theirs)[$0] }.first
            throw .malformed(detail: error.detail(at: index), at: FailureSource(itemID: id))
        }
    }

    private func parsed(_ body: [UInt8]) throws(ProductsFailure) -> JSONValue {
        do {
            return try JSONParser().parse(body)
        } catch {
            throw .malformed(detail: "invalid JSON at \(error)")
        }
    }

    private func items(of document: JSONValue) throws(ProductsFailure) -> [JSONValue] {
        for path in itemsPaths {
            if let items = document[path]?.array { return items }
        }
        guard itemsPaths.count == 1, let path = itemsPaths.first else {
            let places = itemsPaths.dropFirst().map { "\"\($0)\"" }.joined(separator: " or ")
            throw .malformed(detail: "expected an array of items, or one at \(places); found \(document.kindName)")
        }
        guard let found = document[path] else {
            throw .malformed(detail: "nothing at \"\(path)\", where the items should be")
        }
        throw .malformed(detail: "\(found.kindName) where the array of items should be")
    }
}

/// The policy for an item that cannot be decoded.
package enum BadItemPolicy: String, Sendable, CaseIterable {
    /// The whole document is refused.
    case reject
    /// The item is skipped and reported. A document without a good item is still refused.
    case skip
}

/// The places of our members in an upstream's items, for errors about rewritten items: the native decoder reports our
/// members, but the operator sees the upstream's.
struct ItemPlaces: Sendable {
    private let theirs: [String: PathAlternatives]

    init(_ mapping: CatalogueMapping) {
        var theirs = Dictionary(
            mapping.fields.map { ($0.ours.description, $0.theirs) }, uniquingKeysWith: { $1 })
        if case .path(let paths, _, _) = mapping.type { theirs[OwnForm.type] = paths }
        self.theirs = theirs
    }

    /// Returns the detail of a failure with the upstream's place after ours, and what is there instead of a missing value:
    /// `[7312].name (theirs: titel): missing; there are "id" and "title"; did you mean "title"?`.
    /// - Parameter item: nil to leave out what is there.
    func naming(_ detail: String, at index: Int, in item: JSONValue?) -> String {
        let start = "[\(index)]."
        guard detail.hasPrefix(start), let colon = detail.firstIndex(of: ":") else { return detail }
        let ours = detail[..<colon].dropFirst(start.count)
        guard let place = theirs[String(ours)] else { return detail }
        var problem = String(detail[colon...].dropFirst(2))
        if problem == "missing", let item, let reason = PathMatches.reason(place, in: item) { problem += "; \(reason)" }
        return ItemProblem(ours: String(ours), theirs: place.description, problem: problem).detail(at: index)
    }
}

/// The reason why an item cannot be a product: our member, the different place of its value in the upstream's item, and
/// the value found there.
struct ItemProblem: Error {
    let ours: String
    var theirs: String?
    let problem: String

    /// Returns the problem of the item at an index: `[7312].price.amount (theirs: variants.0.price): expected a number,
    /// …`.
    func detail(at index: Int) -> String {
        "[\(index)].\(ours)\(theirs.map { " (theirs: \($0))" } ?? ""): \(problem)"
    }
}

extension JSONObject {
    /// The rule of every gate that a product in our own form breaks by itself.
    fileprivate var invariantProblem: ItemProblem? {
        let amount = self["price"]?.object?["amount"]
        if amount?.isNegative == true {
            return ItemProblem(ours: "price.amount", problem: "\(amount ?? .null) is negative")
        }
        let denominations = self["type"]?.string == "giftCard" ? self["denominations"]?.array ?? [] : []
        guard let negative = denominations.first(where: \.isNegative) else { return nil }
        return ItemProblem(ours: "denominations", problem: "\(negative) is negative")
    }
}

extension JSONValue {
    /// Whether it is a number below zero, also in a text.
    fileprivate var isNegative: Bool {
        guard let text = scalarText, text.first == "-" else { return false }
        return text.prefix { $0 != "e" && $0 != "E" }.contains { ("1"..."9").contains($0) }
    }
}
