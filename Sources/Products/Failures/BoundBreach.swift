internal import JSON
internal import Text

/// The part of a catalogue by which it goes beyond a bound, with the worst of its products.
public struct BoundBreach: Sendable, Hashable {
    /// A product that goes beyond the bound, by one of its members.
    package struct Example: Sendable, Hashable, CustomStringConvertible {
        package let id: String
        package let member: String
        /// The value before; nil without one.
        package let before: String?
        /// The value now; nil without one.
        package let after: String?

        package init(id: String, member: String, before: String?, after: String?) {
            (self.id, self.member, self.before, self.after) = (id, member, before, after)
        }

        /// The change in a message: `"p-5": price 12 EUR -> 120 EUR`.
        package var description: String {
            "\(JSONString.quoted("\(TextExcerpt(id))")): \(member) \(before ?? "none") -> \(after ?? "none")"
        }
    }

    /// The most examples of a breach.
    package static let exampleLimit = 5

    /// The number of products beyond the bound or, where a least share is required, of those that meet it.
    package let count: Int
    /// The number of products that it is a share of.
    package let total: Int
    /// The share that is the bound.
    package let share: Double
    /// The group of products that is meant, as in `type "bundle"`; nil for all.
    package let group: String?
    /// The worst ones, worst first.
    package let examples: [Example]

    package init(count: Int, total: Int, share: Double, group: String? = nil, examples: [Example] = []) {
        (self.count, self.total, self.share, self.group) = (count, total, share, group)
        self.examples = examples
    }

    /// The sentence of a rule.
    ///
    /// - Parameters:
    ///   - head: says how many products did what.
    ///   - relation: the side of the bound: `above` or `below`.
    func sentence(_ head: String, _ relation: String = "above") -> String {
        let place = group.map { "in \($0) " } ?? ""
        let list = examples.isEmpty ? "" : ": " + examples.map(\.description).joined(separator: ", ")
        return "\(place)\(head), \(relation) the share \(share)\(list)"
    }

    func redacted(by redaction: Redaction) -> BoundBreach {
        func text(_ text: String) -> String { redaction.applied(to: text) }
        return BoundBreach(
            count: count, total: total, share: share, group: group.map(text),
            examples: examples.map {
                Example(
                    id: text($0.id), member: text($0.member), before: $0.before.map(text), after: $0.after.map(text))
            })
    }
}
