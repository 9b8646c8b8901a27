public import FoundationEssentials
internal import JSON
internal import Text

/// The rule that a complete catalogue breaks.
public indirect enum RefusalReason: Error, Sendable, Hashable, CustomStringConvertible {
    /// The rules; the raw value is the bounded label for metrics and trails.
    package enum Rule: String, Sendable, CaseIterable {
        case empty
        case shrunken
        case duplicateID = "duplicate-id"
        case duplicateKey = "duplicate-key"
        case negativePrice = "negative-price"
        case negativeDenomination = "negative-denomination"
        case lowPrice = "low-price"
        case badCurrency = "bad-currency"
        case inconsistentPages = "inconsistent-pages"
        case grown
        case added
        case removed
        case changed
        case priceChange = "price-change"
        case incomplete
        case withheld = "held"
    }

    case empty(count: Int, minimum: Int)
    /// Lost more products at once than is plausible.
    case shrunken(from: Int, to: Int)
    /// Two products at these positions have one id.
    case duplicateID(String, first: Int, second: Int)
    /// Two products share a value of the key, within one part of a `merge`, or in several parts that must not overlap.
    case duplicateKey(String, member: String)
    /// Items of these pages, counted from 1, have one id, also in a second reading.
    case duplicateIDOnPages(String, first: Int, second: Int)
    /// Two products share a value of a member that has to be unique.
    case sharedKey(String, members: String, id: String, other: String)
    case negativePrice(id: String, position: Int)
    /// A gift card has a negative amount.
    case negativeDenomination(id: String, position: Int)
    /// A product costs less than the minimum.
    case lowPrice(String, member: String, minimum: String, id: String, position: Int)
    /// A product's currency is not an ISO 4217 code.
    case badCurrency(String, id: String, position: Int)
    /// The pages contradict each other, also in a second reading; the detail says how.
    case inconsistentPages(detail: String)
    /// Gained more products at once than is plausible.
    case grown(BoundBreach)
    /// Has too many products whose ids are new.
    case added(BoundBreach)
    /// Lacks too many products of the previous catalogue.
    case removed(BoundBreach)
    /// Too many products differ from the previous ones.
    case changed(BoundBreach)
    /// Too many prices moved by more than the factor.
    case priceChange(BoundBreach, factor: String)
    /// Too few products have these members.
    case incomplete(BoundBreach, members: [String])
    /// Withheld until this time, unless an operator accepts it, for this reason.
    case withheld(RefusalReason, until: Date)

    package var rule: Rule {
        switch self {
        case .empty: .empty
        case .shrunken: .shrunken
        case .duplicateID, .duplicateIDOnPages: .duplicateID
        case .duplicateKey, .sharedKey: .duplicateKey
        case .negativePrice: .negativePrice
        case .negativeDenomination: .negativeDenomination
        case .lowPrice: .lowPrice
        case .badCurrency: .badCurrency
        case .inconsistentPages: .inconsistentPages
        case .grown: .grown
        case .added: .added
        case .removed: .removed
        case .changed: .changed
        case .priceChange: .priceChange
        case .incomplete: .incomplete
        case .withheld: .withheld
        }
    }

    /// The bounded label for metrics and trails.
    package var token: String { rule.rawValue }

    /// The sentence for operators.
    public var description: String {
        switch self {
        case .empty(let count, let minimum): "\(count) products are fewer than the minimum, \(minimum)"
        case .shrunken(let from, let to): "the catalogue shrank from \(from) products to \(to)"
        case .duplicateID(let id, let first, let second):
            "products [\(first)] and [\(second)] have one id, \"\(TextExcerpt(id))\""
        case .duplicateKey(let key, let member): "two products have the same \"\(member)\", \"\(TextExcerpt(key))\""
        case .duplicateIDOnPages(let id, let first, let second):
            "items of pages \(first) and \(second) have one id, \"\(TextExcerpt(id))\""
        case .sharedKey(let value, let members, let id, let other):
            "products \"\(TextExcerpt(id))\" and \"\(TextExcerpt(other))\" have one \(members), \"\(TextExcerpt(value))\""
        case .negativePrice(let id, let position): "\(Self.product(id, position)) has a negative price"
        case .negativeDenomination(let id, let position): "\(Self.product(id, position)) has a negative denomination"
        case .lowPrice(let price, let member, let minimum, let id, let position):
            "\(Self.product(id, position)) has \(member) \(price), below the minimum, \(minimum)"
        case .badCurrency(let code, let id, let position):
            "\(Self.product(id, position)) has the currency \"\(TextExcerpt(code))\", which is not an ISO 4217 code"
        case .inconsistentPages(let detail): "its pages do not fit together: \(detail)"
        case .grown(let breach):
            breach.sentence("there are \(breach.count) products more than the \(breach.total) before")
        case .added(let breach):
            breach.sentence("\(breach.count) products are new to the \(breach.total) before")
        case .removed(let breach): breach.sentence("\(breach.count) of \(breach.total) products are gone")
        case .changed(let breach): breach.sentence("\(breach.count) of \(breach.total) products changed")
        case .priceChange(let breach, let factor):
            breach.sentence("\(breach.count) of \(breach.total) prices moved by more than the factor \(factor)")
        case .incomplete(let breach, let members):
            breach.sentence(
                "\(breach.count) of \(breach.total) products have \(WordList.enumeration(members))", "below")
        case .withheld(let reason, let end): "held until \(end.formatted(.iso8601)): \(reason)"
        }
    }

    private static func product(_ id: String, _ position: Int) -> String {
        "product [\(position)], id \"\(TextExcerpt(id))\","
    }

    fileprivate func redacted(by redaction: Redaction) -> RefusalReason {
        func text(_ text: String) -> String { redaction.applied(to: text) }
        return switch self {
        case .empty, .shrunken: self
        case .duplicateID(let id, let first, let second): .duplicateID(text(id), first: first, second: second)
        case .duplicateKey(let key, let member): .duplicateKey(text(key), member: member)
        case .duplicateIDOnPages(let id, let first, let second):
            .duplicateIDOnPages(text(id), first: first, second: second)
        case .sharedKey(let value, let members, let id, let other):
            .sharedKey(text(value), members: members, id: text(id), other: text(other))
        case .negativePrice(let id, let position): .negativePrice(id: text(id), position: position)
        case .negativeDenomination(let id, let position): .negativeDenomination(id: text(id), position: position)
        case .lowPrice(let price, let member, let minimum, let id, let position):
            .lowPrice(text(price), member: member, minimum: minimum, id: text(id), position: position)
        case .badCurrency(let code, let id, let position): .badCurrency(text(code), id: text(id), position: position)
        case .inconsistentPages(let detail): .inconsistentPages(detail: text(detail))
        case .grown(let breach): .grown(breach.redacted(by: redaction))
        case .added(let breach): .added(breach.redacted(by: redaction))
        case .removed(let breach): .removed(breach.redacted(by: redaction))
        case .changed(let breach): .changed(breach.redacted(by: redaction))
        case .priceChange(let breach, let factor): .priceChange(breach.redacted(by: redaction), factor: factor)
        case .incomplete(let breach, let members):
            .incomplete(breach.redacted(by: redaction), members: members.map(text))
        case .withheld(let reason, let end): .withheld(reason.redacted(by: redaction), until: end)
        }
    }
}

extension ProductsFailure {
    /// Returns the failure without these secrets in its texts, which may quote an upstream that echoes the request.
    package func redacting(_ secrets: [String]) -> ProductsFailure {
        let redaction = Redaction(secrets)
        let failure: ProductsFailure =
            switch self {
            case .unreachable(let reason, let detail, _): .unreachable(reason, detail: redaction.applied(to: detail))
            case .malformed(let detail, _): .malformed(detail: redaction.applied(to: detail))
            case .refused(let reason, _): .refused(reason.redacted(by: redaction))
            case .storeFailed(let detail, let answered):
                .storeFailed(detail: redaction.applied(to: detail), answered: answered)
            case .paused(let reason, let detail, let retryAfter):
                .paused(reason: reason, detail: redaction.applied(to: detail), retryAfter: retryAfter)
            default: self
            }
        return failure.from(source.redacted(by: redaction))
    }
}

/// A part of a catalogue that exceeds a bound, with its worst products.
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

    /// The number of products beyond the bound or, if a least share is required, that meet it.
    package let count: Int
    /// The number of products that the share refers to.
    package let total: Int
    /// The share that is the bound.
    package let share: Double
    /// The group of products, as in `type "bundle"`; nil for all.
    package let group: String?
    /// Examples of the products beyond the bound; for price changes, the largest first.
    package let examples: [Example]

    package init(count: Int, total: Int, share: Double, group: String? = nil, examples: [Example] = []) {
        (self.count, self.total, self.share, self.group) = (count, total, share, group)
        self.examples = examples
    }

    /// The sentence of a rule.
    ///
    /// - Parameters:
    ///   - head: the number of products and their change.
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
