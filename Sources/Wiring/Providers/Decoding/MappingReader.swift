internal import Configuration
internal import Decoding
internal import JSON
internal import PolymorphicCodable
internal import Products

/// Reads `decode` from the config, and reports its problems.
struct MappingReader {
    /// One of our members, and its form in the file.
    private typealias Claim = (path: JSONPath, written: String)

    let reader: FieldReader
    /// The form of the members that `fields` maps.
    var form = OwnForm.product

    func mapping() -> CatalogueMapping {
        let unknownKinds = reader.choice("unknown_kinds", UnknownKindPolicy.self)
        var claimed: [Claim] = []
        let (format, delimiter) = reader.documentFormat()
        return CatalogueMapping(
            format: format, delimiter: delimiter, items: arrayPath("items"), item: arrayPath("item"),
            conditions: reader.entries("when").compactMap { condition($0) },
            type: typeRule(unknownKinds),
            fields: reader.entries("fields").flatMap { fields($0, &claimed) },
            constants: reader.entries("constants").compactMap { constant($0, &claimed) },
            variants: reader.optionalObject("variants").flatMap { variants($0, beside: claimed) },
            attributes: reader.attributePolicy("attributes"), omitted: reader.omittedPaths, unknownKinds: unknownKinds,
            onBadItem: reader.choice("on_bad_item", BadItemPolicy.self), minimumPrice: reader.minimumPrice,
            includes: reader.includes, joinLimit: reader.size("max_joined", in: 1...))
    }

    /// Reads the places of variants: a list within each item, or items of their own.
    private func variants(_ inner: FieldReader, beside claimed: [Claim]) -> VariantsMapping? {
        let members = MappingReader(reader: inner, form: .variant)
        var own: [Claim] = []
        let fields = inner.entries("fields").flatMap { members.fields($0, &own) }
        let parent = inner.node("parent").flatMap { inner.itemPath($0) }
        let paths = inner.itemPaths("path")
        if let claim = JSONPath("variants").map({ Claim($0, "variants") }),
            let problem = Self.collision(of: claim, with: claimed)
        {
            reader.report(.error, at: "variants", problem)
        }
        if inner.has("parent") == inner.has("path") {
            inner.report(
                .error, at: inner.position,
                "\"variants\" needs either \"path\", the list within an item, or \"parent\", the path to the id of an item's product"
            )
        }
        if inner.has("parent"), reader.has("item") {
            inner.report(.error, at: "parent", "\"parent\" does not go with \"item\"")
        }
        let place = paths.map(VariantsMapping.Place.within) ?? parent.map(VariantsMapping.Place.items)
        let conditions = inner.entries("when").compactMap { condition($0) }
        return place.map {
            VariantsMapping(
                place: $0, conditions: conditions, fields: fields, attributes: inner.attributePolicy("attributes"))
        }
    }

    /// Reads a path of names and indexes alone.
    private func arrayPath(_ field: String) -> JSONPath? {
        guard let path = reader.keyPath(field) else { return nil }
        if path.components.contains("*") || path.components.contains(where: { $0.contains("[") }) {
            reader.report(
                .error, at: field,
                "\"\(field)\" is a path of names; the array stands in \"items\", and the way from its elements in \"item\""
            )
        }
        return path
    }

    private func condition(_ entry: ConfigNode.Entry) -> ItemCondition? {
        guard !entry.value.isBroken else { return nil }
        guard let path = reader.itemPath(keyOf: entry) else { return nil }
        let texts = (entry.value.elements ?? [entry.value]).compactMap(\.text)
        guard !texts.isEmpty, texts.count == entry.value.elements?.count ?? 1 else {
            reader.report(
                .error, at: entry.value.position,
                "\"\(entry.writtenKey)\": expected string, number or boolean, or a list of such, found \(entry.value.found)"
            )
            return nil
        }
        return ItemCondition(path: PathAlternatives(path), texts: Set(texts))
    }

    /// Reads the member of an entry, and its texts in further languages.
    private func fields(_ entry: ConfigNode.Entry, _ claimed: inout [Claim]) -> [FieldMapping] {
        let ours = member(entry, &claimed)
        if entry.value.entries == nil {
            guard let theirs = reader.itemPaths(entry.value, "fields.\(entry.writtenKey)"), let ours else { return [] }
            return checked(FieldMapping(ours: ours, theirs: theirs), entry, at: entry.value.position).map { [$0] } ?? []
        }
        let inner = reader.reader(
            for: entry.value, fields: CatalogueMapping.fieldFields, what: "fields.\(entry.writtenKey)")
        let type = form.spec(at: entry.key).type
        let (theirs, texts) = (inner.localizedPaths(for: entry, type), inner.textRules)
        let (pick, window) = (inner.optionalChoice("pick", ValuePick.self), inner.timeWindow)
        let isScaled = type.mayBeScaled && form.containers[entry.key] == nil
        let scale = inner.scale(ofNumber: isScaled, written: entry.writtenKey)
        let fallback = inner.node("default").flatMap { value($0, "default", type) }
        guard let ours, let theirs else { return [] }
        let mapping = FieldMapping(
            ours: ours, theirs: theirs, window: window, scale: scale, texts: texts, pick: pick,
            form: inner.moneyForm(for: type), fallback: fallback)
        let position = inner.node("path")?.position ?? entry.value.position
        guard let field = checked(mapping, entry, at: position) else { return [] }
        let localized = inner.localized(field, written: entry.writtenKey, type)
        return [field] + localized.filter { claim(($0.ours, $0.ours.description), entry, &claimed) }
    }

    /// Reports paths that lead to several values where our member takes one, and ids that pages could not be told apart by.
    private func checked(
        _ field: FieldMapping, _ entry: ConfigNode.Entry, at position: SourcePosition
    ) -> FieldMapping? {
        if field.givesList, !form.spec(at: entry.key).type.takesLists {
            reader.report(
                .error, at: position,
                "\"\(entry.writtenKey)\" is one value, and the path leads to several; add pick: first, last, min or max, or "
                    + "join")
            return nil
        }
        if field.ours.description == "id", field.theirs.paths.contains(where: { $0.plain == nil }) {
            reader.report(.error, at: position, "an id is found by names and indexes, since pages are compared by it")
            return nil
        }
        return field
    }

    private func constant(_ entry: ConfigNode.Entry, _ claimed: inout [Claim]) -> CatalogueMapping.Constant? {
        let ours = member(entry, &claimed)
        if form.containers[entry.key] != nil {
            reader.report(
                .error, at: entry.keyPosition,
                "\"\(entry.writtenKey)\" is an object; write its members, as "
                    + "\(form.memberList(of: entry.key))")
            return nil
        }
        let value = value(entry.value, entry.writtenKey, form.spec(at: entry.key).type)
        guard let value, let ours else { return nil }
        return (ours, value)
    }

    /// Reads the member that an entry maps, if it can be mapped and no other entry maps it.
    private func member(_ entry: ConfigNode.Entry, _ claimed: inout [Claim]) -> JSONPath? {
        guard let ours = reader.keyPath(keyOf: entry) else { return nil }
        guard claim((ours, entry.writtenKey), entry, &claimed) else { return nil }
        if let meant = form.member(written: entry.key) {
            reader.report(
                .warning, at: entry.keyPosition, "\"\(entry.writtenKey)\" becomes an attribute", suggestion: meant)
        }
        return ours
    }

    /// Records that an entry maps a member; reports where it cannot, or another one does.
    private func claim(_ claim: Claim, _ entry: ConfigNode.Entry, _ claimed: inout [Claim]) -> Bool {
        let problem = form.problem(with: claim.path, written: claim.written)
        guard let problem = problem ?? Self.collision(of: claim, with: claimed) else {
            claimed.append(claim)
            return true
        }
        reader.report(.error, at: entry.keyPosition, problem)
        return false
    }

    private static func collision(of claim: Claim, with others: [Claim]) -> String? {
        for other in others {
            let (own, theirs) = (claim.path.components, other.path.components)
            if own == theirs { return "\"\(claim.written)\" is mapped already" }
            if own.starts(with: theirs) || theirs.starts(with: own) {
                return "\"\(claim.written)\" and \"\(other.written)\" cannot both be mapped, because one is a part of "
                    + "the other"
            }
        }
        return nil
    }

    /// Reads a YAML scalar, converted to the member's type.
    private func value(_ node: ConfigNode, _ name: String, _ type: MemberType) -> JSONValue? {
        guard !node.isBroken else { return nil }
        guard let value = JSONValue(scalar: node) else {
            reader.report(
                .error, at: node.position, "\"\(name)\": expected string, number or boolean, found \(node.found)")
            return nil
        }
        do throws(ValueProblem) {
            if let coerced = try type.coerced(value) { return coerced }
            throw ValueProblem(expected: "a number", found: value)
        } catch {
            // The text as written in the file, because its value may come from the environment and be secret.
            reader.report(
                .error, at: node.position, "\"\(name)\": expected \(error.expected), found \(node.found)")
            return nil
        }
    }

    private func typeRule(_ unknownKinds: UnknownKindPolicy) -> TypeRule? {
        guard let node = reader.node("type"), !node.isBroken else { return nil }
        let check = { (kind: String, node: ConfigNode) in
            // A kind in the config must be known if unknown ones are refused: otherwise no item of it could pass.
            guard unknownKinds == .reject, ProductKind(rawValue: kind) == nil else { return }
            let known = ProductKind.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            reader.report(.error, at: node.position, "\"type\": unknown kind \(node.found); known are \(known)")
        }
        if let constant = node.text {
            check(constant, node)
            return .constant(constant)
        }
        let inner = reader.reader(for: node, fields: CatalogueMapping.typeFields, what: "type")
        let map = inner.stringMap("map")
        for entry in inner.node("map")?.entries ?? [] where !entry.value.isBroken {
            if let kind = entry.value.text { check(kind, entry.value) }
        }
        let otherwise = inner.optionalString("otherwise")
        if let otherwise, let node = inner.node("otherwise") { check(otherwise, node) }
        guard let paths = inner.itemPaths("path") else { return nil }
        return .path(
            paths, map: Dictionary(map.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 }), otherwise: otherwise)
    }
}
