internal import Configuration
internal import Decoding
internal import JSON

extension FieldReader {
    /// Reads `includes` of `decode`: a list of JSON:API, or several lists of any kind.
    var includes: [IncludedList] {
        guard let node = node("includes"), !node.isBroken else { return [] }
        guard let elements = node.elements else { return [includedList(node, "includes")].compactMap(\.self) }
        return elements.enumerated().compactMap { includedList($1, "includes[\($0)]") }
    }

    private func includedList(_ node: ConfigNode, _ what: String) -> IncludedList? {
        guard !node.isBroken else { return nil }
        let inner = reader(for: node, fields: CatalogueMapping.includeFields, what: what)
        let path = inner.keyPath("path")
        if let path, !isPathOfNames(path) {
            inner.report(.error, at: "path", "\"path\" of a list is a path of names, like meta.brands")
        }
        let (ids, id, member) = (
            inner.node("of").flatMap { inner.itemPath($0) }, inner.keyPath("id"), inner.memberName("as")
        )
        if inner.has("of") != inner.has("as") {
            let (there, missing) = inner.has("of") ? ("of", "as") : ("as", "of")
            inner.report(.error, at: there, "\"\(there)\" needs \"\(missing)\", as in { of: brand_id, as: brand }")
            return nil
        }
        if inner.has("id"), !inner.has("of") {
            inner.report(.error, at: "id", "\"id\" is of a list with \"of\"; JSON:API names objects by type and id")
            return nil
        }
        guard let path else { return nil }
        if !inner.has("of") { return IncludedList(path: path, reference: .relationships) }
        guard let ids, let member, let id = id ?? JSONPath("id") else { return nil }
        return IncludedList(path: path, reference: .ids(of: ids, id: id, member: member))
    }

    private func isPathOfNames(_ path: JSONPath) -> Bool {
        !path.components.contains { $0 == "*" || $0.contains("[") || Int($0) != nil }
    }

    /// Reads the name of a member of an item.
    func memberName(_ field: String) -> String? {
        guard let text = optionalString(field), let node = node(field) else { return nil }
        if text.isEmpty || text.contains(".") {
            report(.error, at: field, "\"\(field)\": expected the name of a member of an item, found \(node.found)")
            return nil
        }
        return text
    }

    /// Reports lists that no item can be joined with.
    func checkIncludes(of mapping: CatalogueMapping) {
        guard has("includes"), isSound else { return }
        let isRewritten = ["type", "fields", "constants", "variants"].contains { has($0) }
        if mapping.format != .json {
            report(.error, at: "includes", "\"includes\" is of json, whose documents have lists beside the items")
        } else if isRewritten, mapping.items == nil {
            report(
                .error, at: "includes", "\"includes\" needs \"items\": without it the document is the array of items")
        } else if mapping.includes.contains(where: \.isOfRelationships), !IncludedLists.areReached(by: mapping) {
            report(
                .error, at: "includes",
                "no path leads to an object of \"includes\", like relationships.images.data.0.attributes.url")
        }
    }
}

extension IncludedList {
    fileprivate var isOfRelationships: Bool {
        if case .relationships = reference { true } else { false }
    }
}
