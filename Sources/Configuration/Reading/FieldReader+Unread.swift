/// Fields that are in the config but were not asked for.
extension FieldReader {
    /// Checks such fields, here and in the mappings within, by their declared types.
    ///
    /// A component may have no use for a field because of the value of another one, or not yet; what stands there is
    /// wrong all the same when it is no duration.
    func checkUnread(except ignored: Set<String> = []) {
        for field in unreadFields where !ignored.contains(field.name) { read(field.name, field.type) }
        readers.forEach { $0.checkUnread() }
    }

    private func read(_ field: String, _ type: FieldType) {
        switch type {
        case .string: _ = optionalString(field)
        case .integer: _ = optionalInteger(field)
        case .number: _ = optionalNumber(field)
        case .boolean: _ = optionalBoolean(field)
        case .duration: _ = optionalDuration(field)
        case .size: _ = optionalSize(field)
        case .ratio: _ = optionalRatio(field)
        case .address: _ = optionalAddress(field)
        case .url: _ = optionalURL(field)
        case .secret: _ = optionalSecret(field)
        case .path: _ = optionalPath(field)
        case .any: break
        case .choice(let choices): readChoice(field, choices)
        case .list: elements(of: field).forEach(context.resolver.noteMentions)
        case .map: members(of: field).forEach { context.resolver.noteMentions(in: $0.value) }
        case .object: _ = optionalObject(field)
        case .unlessOff: _ = objectUnlessOff(field)
        case .component(let family): readComponents(family, given(field).map { [(subpath(field), $0)] } ?? [])
        case .components(let family):
            readComponents(family, elements(of: field).enumerated().map { (subpath(field, index: $0), $1) })
        case .componentMap(let family):
            readComponents(family, members(of: field).map { (subpath(field, key: $0.writtenKey), $0.value) })
        }
    }

    private func readChoice(_ field: String, _ choices: [String]) {
        guard let node = given(field), !choices.contains(where: { $0 == node.text }) else { return }
        let _: Never? = failChoice(field, node, choices)
    }

    private func readComponents(_ noun: String, _ nodes: [(path: String, node: ConfigNode)]) {
        for (path, node) in nodes {
            context.resolver.registry.family(noun: noun)?.checkNode(context.resolver, node, path)
        }
    }
}
