internal import Configuration
internal import Decoding
internal import Products

extension FieldSpec {
    /// The field of the least price of a product.
    static func minimumPrice(_ meaning: String) -> FieldSpec { .optional("minimum_price", .string, meaning) }
}

extension FieldReader {
    /// Reads the least price of a product.
    var minimumPrice: MinimumPrice? {
        guard let text = optionalString("minimum_price") else { return nil }
        let price = MinimumPrice(text)
        if price == nil {
            report(
                .error, at: "minimum_price",
                "\"minimum_price\": expected a number above 0 with at most six digits behind the point, like 0.01, found "
                    + (node("minimum_price")?.found ?? "none"))
        }
        return price
    }

    /// Reads the rules for texts of an entry of `fields`.
    var textRules: TextRules {
        var rules = TextRules()
        rules.separator = filledText("split")
        rules.takesLastSegment = boolean("last_segment")
        rules.words = Dictionary(stringMap("words").map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        rules.prefix = filledText("prefix")
        rules.joiner = optionalString("join")
        return rules
    }

    /// Reads the form of an amount with its currency.
    func moneyForm(for type: MemberType) -> MoneyForm? {
        guard let text = optionalString("form") else { return nil }
        let form = MoneyForm(text)
        if form == nil {
            report(.error, at: "form", "\"form\": expected money, or 1234.56 as it is written, like 1.234,56")
        } else if ![.decimal, .currency, .other].contains(type) {
            report(.error, at: "form", "\"form\" is for amounts and currencies")
        }
        return form
    }

    /// Reads the digits behind the point of an amount in minor units.
    /// - Parameter isNumber: whether the member, which is `written` so, can be a number.
    func scale(ofNumber isNumber: Bool, written: String) -> FieldScale? {
        guard let node = node("scale"), !node.isBroken else { return nil }
        guard isNumber else {
            report(.error, at: "scale", "\"scale\" is for numbers, and \"\(written)\" is none")
            return nil
        }
        if node.entries != nil {
            let place = reader(for: node, fields: CatalogueMapping.scaleFields, what: "scale")
            let (path, divisor) = (place.node("path").flatMap(itemPath), place.node("divisor").flatMap(itemPath))
            if place.has("path") == place.has("divisor") {
                report(
                    .error, at: "scale",
                    "\"scale\" needs either \"path\", to a number of digits, or \"divisor\", to a power of ten")
            }
            return path.map(FieldScale.path) ?? divisor.map(FieldScale.divisor)
        }
        if node.text == "currency" { return .currency }
        guard let scale = node.text.flatMap({ Int($0) }), FieldScale.range.contains(scale) else {
            report(
                .error, at: "scale",
                "\"scale\": expected an integer from \(FieldScale.range.lowerBound) to "
                    + "\(FieldScale.range.upperBound), currency, { path } or { divisor }, found \(node.found)")
            return nil
        }
        return .fixed(scale)
    }

    /// Reads the time for which the first path counts.
    var timeWindow: TimeWindow? {
        guard let node = node("during"), !node.isBroken else { return nil }
        if node.entries == nil {
            return itemPath(of: node, "during", expected: "string or mapping").map(TimeWindow.init(interval:))
        }
        let inner = reader(for: node, fields: CatalogueMapping.windowFields, what: "during")
        let (from, to) = (inner.node("from").flatMap(itemPath), inner.node("to").flatMap(itemPath))
        if !inner.has("from"), !inner.has("to") {
            report(.error, at: "during", "\"during\" needs the path to an interval, or \"from\" or \"to\"")
        }
        let offset = inner.optionalString("zone").flatMap(TimeWindow.offset)
        if offset == nil, inner.has("zone") {
            inner.report(.error, at: "zone", "\"zone\": expected UTC or an offset like +01:00")
        }
        return TimeWindow(from: from, to: to, offset: offset)
    }

    private func filledText(_ field: String) -> String? {
        guard let text = optionalString(field) else { return nil }
        if text.isEmpty { report(.error, at: field, "\"\(field)\" is empty") }
        return text
    }

    /// Reads `keep`, `drop` or the names of the members to keep from a field of type `.any`.
    func attributePolicy(_ field: String) -> AttributePolicy {
        guard let node = node(field), !node.isBroken else { return .keep }
        if let elements = node.elements {
            return .only(Set(elements.enumerated().compactMap { attribute(at: "\"\(field)[\($0)]\"", $1) }))
        }
        switch node.text {
        case "keep": return .keep
        case "drop": return .drop
        default:
            report(
                .error, at: node.position, "\"\(field)\": expected keep, drop or list of string, found \(node.found)")
            return .drop
        }
    }

    /// Reads the members of products that are not served.
    var omittedPaths: [ItemPath] {
        guard !strings("omit").isEmpty else { return [] }
        return (node("omit")?.elements ?? []).enumerated().compactMap { index, node in
            guard let path = itemPath(node) else { return nil }
            let text = path.description
            guard path.leadsByNames, !OwnForm.product.isNeeded(text) else {
                let reason =
                    path.leadsByNames
                    ? "every product has \"\(text)\"" : "\"\(text)\" has more than names and *"
                report(.error, at: node.position, "\"omit[\(index)]\": \(reason)")
                return nil
            }
            return path
        }
    }

    private func attribute(at place: String, _ node: ConfigNode) -> String? {
        guard !node.isBroken else { return nil }
        guard let name = node.text else {
            report(.error, at: node.position, "\(place): expected string, found \(node.found)")
            return nil
        }
        // Inner members are kept with their outer one or not at all; a path would match nothing.
        guard !name.contains(".") else {
            report(
                .error, at: node.position, "\(place): expected the name of a member of an item, found \(node.found)")
            return nil
        }
        return name
    }
}
