internal import Concurrency
internal import Configuration
package import Decoding
internal import JSON
internal import Products
internal import Text

/// Finds the item of one product while sources are read, and explains how it becomes the product, member by member.
package final class ProductExplanation: Sendable {
    private let id: String
    private let found = Mutex<[String]>([])

    /// - Parameter id: the id of the product.
    package init(of id: String) {
        self.id = id
    }

    /// The explanations so far, one for each source that has the product.
    package var texts: [String] { found.withLock { $0 } }

    /// Returns a decoder that decodes like another one, and explains the product if it comes by.
    package func observing(_ decoder: any CatalogueDecoder, of provider: String) -> any CatalogueDecoder {
        ExplainedDecoder(decoder: decoder, provider: provider, explanation: self)
    }

    fileprivate func record(_ items: [JSONValue], _ decoder: any CatalogueDecoder, of provider: String) {
        let elements =
            (decoder as? MappedCatalogueFormat)?.elements(of: id, among: items)
            ?? items.first { element in decoder.idPaths.contains { element[$0]?.scalarText == id } }.map { [$0] } ?? []
        guard !elements.isEmpty else { return }
        let lines = ItemExplanation(elements, decoder).lines.map { "  \($0)\n" }.joined()
        found.withLock { $0.append("\(provider): \(id.printable)\n\(lines)") }
    }
}

extension Assembly {
    /// Returns the decoder of a source with the clock of the service, which explains a product where a command wants that.
    func explaining(_ decoder: any CatalogueDecoder, of provider: String) -> any CatalogueDecoder {
        var decoder = decoder
        if var format = decoder as? MappedCatalogueFormat {
            format.clock = resource(WallClock.self)
            decoder = format
        }
        return optionalResource(ProductExplanation.self)?.observing(decoder, of: provider) ?? decoder
    }
}

/// A decoder whose items are searched for a product to explain.
private struct ExplainedDecoder: CatalogueDecoder {
    let decoder: any CatalogueDecoder
    let provider: String
    let explanation: ProductExplanation

    var format: DocumentFormat { decoder.format }
    var itemsPaths: [JSONPath] { decoder.itemsPaths }
    var idPaths: [JSONPath] { decoder.idPaths }

    func items(in document: JSONValue) -> [JSONValue]? { decoder.items(in: document) }

    func decode(_ body: [UInt8], knowing known: KnownProducts?) throws(ProductsFailure) -> DecodedProducts {
        let json = (decoder as? MappedCatalogueFormat).map { try? $0.json(of: body) } ?? body
        if let json, let document = try? JSONParser().parse(json) {
            explanation.record(items(in: document) ?? [], decoder, of: provider)
        }
        return try decoder.decode(body, knowing: known)
    }

    func decode(items: [JSONValue]) throws(ProductsFailure) -> DecodedProducts {
        explanation.record(items, decoder, of: provider)
        return try decoder.decode(items: items)
    }
}

/// The origin of each member of a product in an upstream's item.
private struct ItemExplanation {
    private(set) var lines: [String] = []

    /// - Parameter elements: the product's element, followed by its variants that are items of their own.
    init(_ elements: [JSONValue], _ decoder: any CatalogueDecoder) {
        let format = decoder as? MappedCatalogueFormat
        let (mapping, fields) = (format?.mapping ?? CatalogueMapping(), format?.mappedFields ?? [])
        let element = elements.first ?? .null
        let item = mapping.item.flatMap { element[$0] } ?? element
        let decoded: DecodedProducts
        do {
            decoded = try decoder.decode(items: elements)
        } catch {
            lines = ["no product: \(error)".printable]
            return
        }
        guard let product = decoded.products.first,
            let ours = (try? JSONByteEncoder.encode(product)).flatMap({ try? JSONParser().parse($0) })
        else {
            lines = [decoded.skipped.first.map { "skipped: \($0.reason)".printable } ?? "left out by \"when\""]
            return
        }
        add("type", Self.origin(of: mapping.type, in: item), ours.object?["type"])
        let time = DecodingTime(now: (format?.clock ?? .system).now())
        for field in fields { add(field.ours.description, Self.origin(of: field, in: item, time), ours[field.ours]) }
        for constant in mapping.constants { add(constant.ours.description, "a constant of the config", constant.value) }
        var named = Set((fields.map(\.ours) + mapping.constants.map(\.ours)).compactMap(\.components.first))
        if let variants = mapping.variants {
            let origin = variants.parent.map { "the items whose \($0) is its id" } ?? "\(variants.paths)"
            add(SoldVariants.name, origin, ours.object?[SoldVariants.name])
            if !fields.contains(where: { $0.ours.description == "price.amount" }) {
                add("price.amount", "the least price of the variants", ours.object?["price"]?.object?["amount"])
            }
            named.formUnion([SoldVariants.name, SoldVariants.range])
        }
        for member in ours.object?.members ?? [] where !named.contains(member.key) && member.key != "type" {
            guard product.attributes[member.key] == nil else { continue }
            let isThere = item.object?[member.key] != nil
            add(member.key, isThere ? "under its own name" : "not in the item", member.value)
        }
        let kept = product.attributes.keys.filter { !named.contains($0) }
        if !kept.isEmpty { lines.append("attributes, as they are: \(kept.joined(separator: ", "))".printable) }
        if !mapping.omitted.isEmpty {
            lines.append("omitted: \(mapping.omitted.map(\.description).joined(separator: ", "))".printable)
        }
        let names = item.object?.keys ?? []
        let taken = Set(
            fields.flatMap(\.places).flatMap(\.theirs.paths).compactMap(\.root)
                + (mapping.variants?.paths.paths.compactMap(\.root) ?? []))
        let unconverted = ours.object?["unconverted"]?.object
        let dropped = names.filter { ours.object?[$0] == nil && unconverted?[$0] == nil && !taken.contains($0) }
        if !dropped.isEmpty { lines.append("not served: \(dropped.joined(separator: ", "))".printable) }
    }

    private mutating func add(_ name: String, _ origin: String, _ value: JSONValue?) {
        lines.append("\(name) = \(value?.excerpt ?? "nothing")  \u{2190} \(origin)".printable)
    }

    private static func origin(of type: TypeRule?, in item: JSONValue) -> String {
        switch type {
        case nil: "under its own name"
        case .constant: "a constant of the config"
        case .path(let paths, _, _):
            "\(paths): \(paths.paths.lazy.compactMap { $0.first(in: item) }.first?.excerpt ?? "nothing there")"
        }
    }

    /// The place of a value, the value there, and the rules that apply to it in their order.
    private static func origin(of field: FieldMapping, in item: JSONValue, _ time: DecodingTime) -> String {
        let path = field.theirs.paths.first { path in
            path.first(in: item) != nil && (try? field.counts(path, in: item, at: time)) != false
        }
        guard let path else {
            return "\(field.theirs): nothing there\(field.fallback.map { ", default: \($0.excerpt)" } ?? "")"
        }
        let values = path.values(in: item)
        let shown = values.prefix(3).map(\.excerpt).joined(separator: ", ") + (values.count > 3 ? ", …" : "")
        let first = field.window != nil && path == field.theirs.paths.first ? ["during"] : []
        let rules = (first + field.rules).map { "; \($0)" }.joined()
        return "\(path): \(shown)\(rules)"
    }
}

extension FieldMapping {
    /// The rules as a config has them, in the order in which they apply.
    fileprivate var rules: [String] {
        var rules: [String] = []
        if let separator = texts.separator { rules.append("split: \(separator)") }
        if texts.takesLastSegment { rules.append("last_segment") }
        if !texts.words.isEmpty { rules.append("words") }
        if let prefix = texts.prefix { rules.append("prefix: \(prefix)") }
        if let joiner = texts.joiner { rules.append("join: \(joiner)") }
        if form != nil { rules.append("form") }
        switch scale {
        case nil: break
        case .fixed(let digits): rules.append("scale: \(digits)")
        case .currency: rules.append("scale: currency")
        case .path(let path): rules.append("scale: \(path)")
        case .divisor(let path): rules.append("divisor: \(path)")
        }
        if let pick { rules.append("pick: \(pick.rawValue)") }
        return rules
    }
}
