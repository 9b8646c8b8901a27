package import JSON
package import Products

/// The products by which two catalogues differ, and the members that changed in the others, prices first.
///
/// Its length is bounded, whatever the catalogues.
package struct DifferenceReport: Sendable {
    /// A catalogue, with its generation if it has one.
    package struct Side: Sendable {
        let catalogue: Catalogue
        let generation: Int?

        package init(_ catalogue: Catalogue, generation: Int? = nil) {
            (self.catalogue, self.generation) = (catalogue, generation)
        }

        var json: JSONValue {
            .object([
                "generation": generation.map { .count($0) } ?? .null, "revision": .string(catalogue.revision),
            ])
        }
    }

    /// The most ids in one list.
    private static let longestList = 1000

    package let json: JSONObject

    /// - Parameter id: the product that is compared; nil for all of them.
    package init(from: Side, to: Side, id: String? = nil) {
        let (before, after) = (from.catalogue, to.catalogue)
        var added: [Int]
        var removed: [Int]
        var changed: [(before: Int, after: Int)]
        if let id {
            let places = (before.position(ofID: id), after.position(ofID: id))
            added = places.0 == nil ? [places.1].compactMap(\.self) : []
            removed = places.1 == nil ? [places.0].compactMap(\.self) : []
            changed = []
            if case (let old?, let new?) = places,
                before.encoded[before.ranges[old]] != after.encoded[after.ranges[new]]
            {
                changed = [(old, new)]
            }
        } else {
            let difference = CatalogueDifference(from: before, to: after)
            (added, removed, changed) = (difference.added, difference.removed, difference.changed)
        }
        let hasNewPrice = changed.map { Self.hasNewPrice(before.text(at: $0.before), after.text(at: $0.after)) }
        let sorted = changed.indices.filter { hasNewPrice[$0] } + changed.indices.filter { !hasNewPrice[$0] }
        var members = MemberDifferences()
        let limit = Self.longestList
        json = [
            "from": from.json, "to": to.json,
            "counts": .object([
                "added": .count(added.count), "removed": .count(removed.count), "changed": .count(changed.count),
            ]),
            "added": .array(added.prefix(limit).map { .string(after.text(at: $0).id) }),
            "removed": .array(removed.prefix(limit).map { .string(before.text(at: $0).id) }),
            "changed": .array(
                sorted.prefix(limit).map { index in
                    let (old, new) = changed[index]
                    return .object([
                        "id": .string(after.text(at: new).id),
                        "members": .array(members.between(before, old, and: after, new)),
                    ])
                }),
            "priceChanges": .count(hasNewPrice.count { $0 }),
            "truncated": .bool(max(added.count, removed.count, changed.count) > limit || members.isTruncated),
        ]
    }

    private static func hasNewPrice(_ before: ProductText, _ after: ProductText) -> Bool {
        before.amount != after.amount || before.currency != after.currency
    }
}

/// Finds the members by which two JSON values differ, each by its path, such as `price.amount` or `tags.0`.
private struct MemberDifferences {
    /// The most members of one product, and of all of them.
    private static let mostOfOne = 50
    private static let mostOfAll = 10_000
    /// The most bytes of a value that is shown whole.
    private static let longestValue = 500

    private(set) var isTruncated = false
    private var count = 0

    private typealias Found = (path: String, from: JSONValue?, to: JSONValue?)

    mutating func between(_ before: Catalogue, _ old: Int, and after: Catalogue, _ new: Int) -> [JSONValue] {
        var found: [Found] = []
        Self.compare(Self.value(before, old), Self.value(after, new), at: "", &found)
        let sorted = found.filter { $0.path.hasPrefix("price") } + found.filter { !$0.path.hasPrefix("price") }
        let room = min(Self.mostOfOne, Self.mostOfAll - count)
        if sorted.count > room { isTruncated = true }
        let shown = sorted.prefix(room)
        count += shown.count
        return shown.map { found in
            .object([
                "member": .string(found.path), "from": found.from.map(Self.shown) ?? .null,
                "to": found.to.map(Self.shown) ?? .null,
            ])
        }
    }

    private static func value(_ catalogue: Catalogue, _ position: Int) -> JSONValue {
        let parser = JSONParser(depthLimit: Catalogue.depthLimit)
        return (try? parser.parse(catalogue.encoded, in: catalogue.ranges[position])) ?? .null
    }

    private static func compare(_ from: JSONValue?, _ to: JSONValue?, at path: String, _ found: inout [Found]) {
        guard from != to else { return }
        let prefix = path.isEmpty ? "" : path + "."
        switch (from, to) {
        case (.object(let old)?, .object(let new)?):
            for member in new.members { compare(old[member.key], member.value, at: prefix + member.key, &found) }
            for member in old.members where new[member.key] == nil {
                compare(member.value, nil, at: prefix + member.key, &found)
            }
        case (.array(let old)?, .array(let new)?) where old.count == new.count:
            for index in old.indices { compare(old[index], new[index], at: "\(prefix)\(index)", &found) }
        default: found.append((path, from, to))
        }
    }

    /// The value, or the beginning of its text where that is long.
    private static func shown(_ value: JSONValue) -> JSONValue {
        switch value {
        case .null, .bool: return value
        case .number, .string, .array, .object:
            let text = value.string ?? "\(value)"
            guard text.utf8.count > longestValue else { return value }
            return .string(String(text.prefix(longestValue / 4)) + "…")
        }
    }
}
