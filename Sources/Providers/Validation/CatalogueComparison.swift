internal import Products

/// Compares a catalogue with the one that it would replace, by the bounds of their difference.
///
/// The cost grows with the difference, not with the catalogues, if the new one records its origin.
struct CatalogueComparison {
    /// A part of the difference: of all products, or of those in one group. A product that changed its group belongs to
    /// its old one.
    private struct Part {
        let group: String?
        /// The number of products before.
        let total: Int
        let growth: Int
        var added: [Int] = []
        var removed: [Int] = []
        var changed: [(before: Int, after: Int)] = []
    }

    /// The counts of the new catalogue.
    let after: CatalogueProfile
    private let rules: CatalogueRules
    private let new: Catalogue
    /// The difference; nil if the old catalogue is unknown, or only counted.
    private let difference: CatalogueDifference?
    private let parts: [Part]

    init(of new: Catalogue, with old: CatalogueBaseline.Size?, by rules: CatalogueRules) {
        (self.new, self.rules) = (new, rules)
        let whole = old.map { Part(group: nil, total: $0.count, growth: new.count - $0.count) }
        guard rules.comparesContent, let old, let before = old.content else {
            (difference, after) = (nil, CatalogueProfile(of: new, by: rules))
            parts = whole.map { [$0] } ?? []
            return
        }
        let difference = CatalogueDifference(from: before, to: new)
        let known = old.profile.flatMap { $0.isOf(rules) ? $0 : nil } ?? CatalogueProfile(of: before, by: rules)
        let after = known.applying(difference)
        (self.difference, self.after) = (difference, after)
        parts = Self.parts(of: difference, from: known, to: after, by: rules)
    }

    /// Returns the first exceeded bound, that of the whole catalogue before that of a group.
    func reason(beyond bounds: ChangeBounds) -> RefusalReason? {
        if let reason = incompleteness(below: bounds.complete) { return reason }
        for part in parts {
            if let reason = priceChange(in: part, beyond: bounds.prices) { return reason }
            if let breach = breach(part, part.removed.count, bounds.removed, { removals(part.removed) }) {
                return .removed(breach)
            }
            if let breach = breach(part, part.added.count, bounds.added, { additions(part.added) }) {
                return .added(breach)
            }
            if let breach = breach(part, part.changed.count, bounds.changed, { worst(of: part.changed) }) {
                return .changed(breach)
            }
            if let breach = breach(part, part.growth, bounds.growth, { additions(part.added) }) {
                return .grown(breach)
            }
        }
        return nil
    }

    private static func parts(
        of difference: CatalogueDifference, from before: CatalogueProfile, to after: CatalogueProfile,
        by rules: CatalogueRules
    ) -> [Part] {
        let (old, new) = (difference.from, difference.to)
        let whole = Part(
            group: nil, total: old.count, growth: new.count - old.count, added: difference.added,
            removed: difference.removed, changed: difference.changed)
        guard let each = rules.each else { return [whole] }
        var parts: [String: Part] = [:]
        for (name, count) in before.groups where count >= ProductGroup.floor {
            parts[name] = Part(group: name, total: count, growth: after.groups[name, default: 0] - count)
        }
        for position in difference.added {
            for name in each.names(of: new.text(at: position)) { parts[name]?.added.append(position) }
        }
        for position in difference.removed {
            for name in each.names(of: old.text(at: position)) { parts[name]?.removed.append(position) }
        }
        for positions in difference.changed {
            for name in each.names(of: old.text(at: positions.before)) { parts[name]?.changed.append(positions) }
        }
        return [whole] + parts.sorted { $0.key < $1.key }.map(\.value)
    }

    private func priceChange(in part: Part, beyond bound: ChangeBounds.Prices?) -> RefusalReason? {
        let known = part.total - part.removed.count
        // Most catalogues change too little for their prices to matter.
        guard let difference, let bound, Self.isBeyond(part.changed.count, of: known, bound.share),
            part.group == nil || known >= ProductGroup.floor
        else { return nil }
        let moved = part.changed.filter { difference.movesPrice(at: $0, beyond: bound.factor) }
        guard Self.isBeyond(moved.count, of: known, bound.share) else { return nil }
        return .priceChange(
            BoundBreach(
                count: moved.count, total: known, share: bound.share, group: part.group, examples: worst(of: moved)),
            factor: bound.factor.description)
    }

    private func incompleteness(below share: Double?) -> RefusalReason? {
        let complete = new.count - after.lacking
        guard let share, new.count > 0, Double(complete) / Double(new.count) < share else { return nil }
        return .incomplete(
            BoundBreach(count: complete, total: new.count, share: share, examples: incompleteProducts()),
            members: rules.required)
    }

    private func breach(
        _ part: Part, _ count: Int, _ share: Double?, _ examples: () -> [BoundBreach.Example]
    ) -> BoundBreach? {
        guard let share, Self.isBeyond(count, of: part.total, share) else { return nil }
        return BoundBreach(count: count, total: part.total, share: share, group: part.group, examples: examples())
    }

    /// Divides instead of multiplying, so that 29 of 100 are not beyond 0.29. No share of nothing is beyond a bound.
    private static func isBeyond(_ count: Int, of total: Int, _ share: Double) -> Bool {
        total > 0 && Double(count) / Double(total) > share
    }
}

/// The products that a breach names.
extension CatalogueComparison {
    private func additions(_ positions: [Int]) -> [BoundBreach.Example] {
        positions.prefix(BoundBreach.exampleLimit).map { ProductChange(from: nil, to: new.text(at: $0)).example }
    }

    private func removals(_ positions: [Int]) -> [BoundBreach.Example] {
        positions.prefix(BoundBreach.exampleLimit).compactMap { position in
            difference.map { ProductChange(from: $0.from.text(at: position), to: nil).example }
        }
    }

    /// The changes that moved the price most, and then the others in their order.
    private func worst(of changed: [(before: Int, after: Int)]) -> [BoundBreach.Example] {
        guard let difference else { return [] }
        let ranked = changed.enumerated().map { (order: $0, ratio: difference.change($1).priceRatio, at: $1) }
        return ranked.sorted { ($1.ratio, $0.order) < ($0.ratio, $1.order) }.prefix(BoundBreach.exampleLimit)
            .map { difference.change($0.at).example }
    }

    /// The products that lost a required member, and then others that lack one.
    private func incompleteProducts() -> [BoundBreach.Example] {
        func example(_ change: ProductChange) -> BoundBreach.Example? {
            rules.required.first { change.after?.isFilled($0) == false }.map(change.example(lacking:))
        }
        func hasLost(_ change: ProductChange) -> Bool {
            rules.required.contains { change.before?.isFilled($0) == true && change.after?.isFilled($0) == false }
        }
        let changes = difference.map { $0.changed.lazy.map($0.change).filter(hasLost).prefix(BoundBreach.exampleLimit) }
        let lost = (changes.map(Array.init) ?? []).compactMap(example)
        if !lost.isEmpty { return lost }
        let lacking = new.texts.lazy.map { ProductChange(from: nil, to: $0) }.compactMap(example)
        return Array(lacking.prefix(BoundBreach.exampleLimit))
    }
}

/// The counts of a catalogue for the next comparison, updated incrementally.
struct CatalogueProfile: Sendable {
    private let each: ProductGroup?
    private let required: [String]
    /// The number of products in each group.
    private(set) var groups: [String: Int] = [:]
    /// The number of products that lack a required member.
    private(set) var lacking = 0

    init(of catalogue: Catalogue, by rules: CatalogueRules) {
        (each, required) = (rules.each, rules.required)
        guard each != nil || !required.isEmpty else { return }
        for product in catalogue.texts { count(product, 1) }
    }

    /// Whether the counts are those that these rules need.
    func isOf(_ rules: CatalogueRules) -> Bool { each == rules.each && required == rules.required }

    /// Returns the counts of the later catalogue from those of the earlier one.
    func applying(_ difference: CatalogueDifference) -> CatalogueProfile {
        guard each != nil || !required.isEmpty else { return self }
        var profile = self
        for position in difference.added { profile.count(difference.to.text(at: position), 1) }
        for position in difference.removed { profile.count(difference.from.text(at: position), -1) }
        for (before, after) in difference.changed {
            profile.count(difference.from.text(at: before), -1)
            profile.count(difference.to.text(at: after), 1)
        }
        return profile
    }

    private mutating func count(_ product: ProductText, _ step: Int) {
        for name in each?.names(of: product) ?? [] {
            let count = groups[name, default: 0] + step
            // Empty groups are dropped, since the number of names is unbounded.
            groups[name] = count == 0 ? nil : count
        }
        if required.contains(where: { !product.isFilled($0) }) { lacking += step }
    }
}
