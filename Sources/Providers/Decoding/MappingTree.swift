internal import JSON

/// The members of a mapping by their place in our form, so that no path has to be followed for each item.
struct MappingTree {
    private typealias Leaf = (path: ArraySlice<String>, source: MemberSource)

    /// Our members at the top, in the mapping's order.
    let members: [(name: String, source: MemberSource)]

    init(_ mapping: CatalogueMapping) {
        let fields = mapping.fields.map { Leaf($0.ours.components[...], .field(FieldSource($0))) }
        let constants = mapping.constants.map { Leaf($0.ours.components[...], .constant($0.value)) }
        members = Self.members(fields + constants, under: [], mapping.attributes)
    }

    /// The container of our own form with this name, as far as its members stand where ours would.
    static func own(_ name: String) -> GroupSource {
        completed(GroupSource(members: []), name, rest: nil)
    }

    private static func members(
        _ leaves: [Leaf], under parent: [String], _ attributes: AttributePolicy
    ) -> [(name: String, source: MemberSource)] {
        var names: [String] = []
        for case let name? in leaves.map(\.path.first) where !names.contains(name) { names.append(name) }
        return names.map { name in
            let inner = leaves.filter { $0.path.first == name }
            if let leaf = inner.last(where: { $0.path.count == 1 }) { return (name, leaf.source) }
            let path = parent + [name]
            let group = GroupSource(
                members: members(inner.map { ($0.path.dropFirst(), $0.source) }, under: path, attributes))
            let text = path.joined(separator: ".")
            let rest = path.first.map(attributes.keeps) ?? false ? JSONPath(text) : nil
            return (name, .group(completed(group, text, rest: rest)))
        }
    }

    /// A container of ours gets the members that were not mapped from where they stand in our form, an attribute
    /// whatever else theirs has, if that is kept.
    private static func completed(_ group: GroupSource, _ path: String, rest: JSONPath?) -> GroupSource {
        var group = group
        guard let own = OwnForm.containers[path] else {
            group.rest = rest
            return group
        }
        group.condition = OwnForm.requiredContainers.contains(path) ? .nothing : .everything
        for name in own where !group.members.contains(where: { $0.name == name }) {
            if let path = JSONPath("\(path).\(name)") { group.members.append((name, .field(FieldSource(own: path)))) }
        }
        return group
    }
}
