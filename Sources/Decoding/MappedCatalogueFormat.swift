package import Concurrency
package import JSON
package import Products

/// Decodes an upstream's own documents by a mapping.
///
/// A document of another format becomes an array in JSON first, whose errors name the lines of the document.
/// Every item is rewritten into Larder's own form and decoded from there, so that a mapped product obeys the same rules
/// as a native one. Members that are neither mapped nor named by the kind become attributes in their order, if the
/// mapping keeps them. Errors name the item's index, our member, its place in the upstream's item and the value there.
package struct MappedCatalogueFormat: CatalogueDecoder {
    /// The paths to the items of a document, in order of preference; the root for a format that becomes an array.
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

    /// The clock for values that are valid for a limited time.
    package var clock = WallClock.system
    private let reader: DocumentReader
    private let item: JSONPath?
    private let includes: IncludedLists?
    private let conditions: [ItemCondition]
    private let rewriter: ItemRewriter?
    private let grouping: VariantGrouping?
    private let places: ItemPlaces
    private let matches: PathMatches
    private let attributes: AttributePolicy
    private let decoder: NativeCatalogueDecoder

    package init(mapping: CatalogueMapping) {
        self.mapping = mapping
        let own = mapping.keepsItems ? NativeCatalogueDecoder.itemsPaths : [.root]
        reader = mapping.reader
        itemsPaths = mapping.format == .json ? mapping.items.map { [$0] } ?? own : [.root]
        let id = mapping.fields.first { NativeCatalogueDecoder.idPaths == [$0.ours] }?.theirs
        let ids = id?.paths.compactMap(\.plain) ?? NativeCatalogueDecoder.idPaths
        idPaths = mapping.item.map { item in ids.compactMap { JSONPath("\(item).\($0)") } } ?? ids
        ownIDPaths = ids
        item = mapping.item
        includes = IncludedLists(mapping.includes, for: mapping.paths, item: mapping.item)
        conditions = mapping.conditions
        rewriter = mapping.keepsItems ? nil : ItemRewriter(mapping)
        grouping = VariantGrouping(mapping.variants, ids: ids)
        places = ItemPlaces(mapping)
        matches = PathMatches(mapping)
        attributes = mapping.attributes
        decoder = NativeCatalogueDecoder(unknownKinds: mapping.unknownKinds)
    }

    package var format: DocumentFormat { reader.format }

    /// Whether it reads values that count for a time.
    package var isTimed: Bool { mapping.isTimed }

    package func decode(_ body: [UInt8], knowing known: KnownProducts?) throws(ProductsFailure) -> DecodedProducts {
        let document = try document(body)
        // An error of the document is reported before errors of its items, which needs the whole tree.
        if grouping == nil, let decoded = try? decodeItemByItem(document, knowing: known) { return decoded }
        let value = try JSONParser().document(document.json)
        let list = try listed(in: value)
        var decoded = try decode(items: list, of: document)
        decoded.groupedItems = list.count
        if known == nil { decoded.missingItems = StatedTotal.missing(in: value, of: list.count) }
        return decoded
    }

    package func items(in document: JSONValue) -> [JSONValue]? {
        let items = document.firstArray(at: itemsPaths)
        guard let index = includes?.index({ document[$0] }) else { return items }
        return items?.map(index.joined)
    }

    /// The document in JSON: as it is, or an array of the items of another format.
    package func json(of body: [UInt8]) throws(ProductsFailure) -> [UInt8] { try document(body).json }

    private func document(_ body: [UInt8]) throws(ProductsFailure) -> DocumentItems {
        do throws(DocumentFault) {
            return try reader.items(of: body)
        } catch {
            throw .malformed(detail: "invalid \(format.name) at \(error)")
        }
    }

    /// Decodes a document without making its whole tree.
    private func decodeItemByItem(_ document: DocumentItems, knowing known: KnownProducts?) throws -> DecodedProducts? {
        guard let range = try JSONParser().arrayRange(at: itemsPaths, in: document.json) else { return nil }
        let lists: JSONValue =
            includes == nil && known != nil
            ? .null
            : try JSONParser().parse(
                Array(document.json[..<range.lowerBound] + "[]".utf8 + document.json[range.upperBound...]))
        let index = try includes.map { includes in
            // Categories, for example, may stand among the items.
            return try includes.index {
                try itemsPaths.contains($0) ? JSONParser().parse(document.json, in: range) : lists[$0]
            }
        }
        // An item with the same bytes differs where an object that it names does.
        let known = includes == nil ? known : nil
        var findings = makeFindings(document)
        // Of an item that is copied in vain, the budget before.
        var (copies, unpaid) = (ItemCopies(mapping, rewriter, index), findings.budget)
        var decoded = try decoder.decode(
            document.json, array: range, knowing: known,
            copying: { offset, bytes in
                unpaid = findings.budget
                guard findings.matches.isComplete, findings.internalMembers.isComplete else { return nil }
                return copies?.append(at: offset, of: document.json, to: &bytes, &findings.budget)
            },
            by: { element, place, decoded in
                let element = index?.joined(element) ?? element
                findings.budget = unpaid
                try findings.budget.pay(for: element, at: place)
                try append(element, at: place, to: &decoded, &findings)
            })
        // Recognised items are not searched again.
        if known == nil {
            findings.add(to: &decoded)
            decoded.missingItems = StatedTotal.missing(in: lists, of: decoded.itemCount)
        }
        decoded.validity = findings.time.validity
        return findings.bad > 0 && decoded.products.isEmpty ? nil : decoded
    }

    package func decode(items: [JSONValue]) throws(ProductsFailure) -> DecodedProducts {
        try decode(items: items, of: nil)
    }

    private func decode(items: [JSONValue], of document: DocumentItems?) throws(ProductsFailure) -> DecodedProducts {
        var decoded = DecodedProducts()
        var findings = makeFindings(document)
        for (index, element) in items.enumerated() { try findings.budget.pay(for: element, at: index) }
        let grouped = grouping?.grouped(items)
        for (index, parent) in grouped?.orphans ?? [] {
            let detail = "[\(index)]: no item has the id \"\(parent)\" of its product" + findings.line(index)
            guard mapping.onBadItem == .skip else { throw .malformed(detail: detail) }
            findings.skip(index, detail, in: &decoded)
        }
        for (index, element) in grouped?.products ?? items.enumerated().map({ ($0, $1) }) {
            try append(element, at: index, to: &decoded, &findings)
        }
        decoded.skipped.sort { $0.index < $1.index }
        findings.add(to: &decoded)
        decoded.validity = findings.time.validity
        if findings.bad > 0, decoded.products.isEmpty, let first = decoded.skipped.first {
            throw .malformed(detail: "no item of \(items.count) is good; the first: \(first.reason)")
        }
        decoded.close()
        return decoded
    }

    private func makeFindings(_ document: DocumentItems?) -> DecodingFindings {
        DecodingFindings(
            pricePlace: mapping.pricePlace, omitted: OmittedMembers(mapping.omitted), matches: matches,
            document: document, time: DecodingTime(now: clock.now()),
            budget: JoinBudget(limit: mapping.joinLimit, by: includes.map { $0.joinedLength(of:within:) }))
    }

    /// Appends the item of an element, leaves it out by the conditions, or skips a bad one.
    private func append(
        _ element: JSONValue, at index: Int, to decoded: inout DecodedProducts, _ findings: inout DecodingFindings
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
            if let fault = findings.document?.faults[index] { throw .malformed(detail: "[\(index)]: \(fault)") }
            try appendItem(item, at: index, to: &decoded, &findings)
        } catch .malformed(let found, let source) {
            let detail = found + findings.line(index)
            guard mapping.onBadItem == .skip else { throw .malformed(detail: detail, at: source) }
            findings.skip(index, detail + (source.item.map { "; its id is \"\($0)\"" } ?? ""), in: &decoded)
        }
    }

    private func appendItem(
        _ item: JSONValue, at index: Int, to decoded: inout DecodedProducts, _ findings: inout DecodingFindings
    ) throws(ProductsFailure) {
        guard case .object(let theirs) = item else {
            throw .malformed(detail: "[\(index)]: expected an object, found \(item.kindName)")
        }
        var ours = try rewritten(theirs, at: index, findings.time)
        findings.omitted.remove(from: &ours)
        if let rewriter {
            if let includes { findings.dangling.record(includes.danglingIDs(of: item)) }
            findings.internalMembers.record(ours, rewriter.isChosen)
            findings.unconverted.record(ours)
        }
        let negative = mapping.onBadItem == .skip ? ours.invariantProblem : nil
        if let problem = negative ?? mapping.minimumPrice.flatMap({ ours.problem(below: $0) }) {
            throw .malformed(
                detail: places.naming(problem.detail(at: index), at: index, in: nil),
                at: FailureSource(itemID: ours["id"]))
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

    private func rewritten(
        _ theirs: JSONObject, at index: Int, _ time: DecodingTime
    ) throws(ProductsFailure) -> JSONObject {
        guard let rewriter else { return theirs }
        do {
            return try rewriter.rewritten(theirs, at: time)
        } catch {
            let id = ownIDPaths.compactMap { JSONValue.object(theirs)[$0] }.first
            throw .malformed(detail: error.detail(at: index), at: FailureSource(itemID: id))
        }
    }
}
