internal import JSON
internal import Text

/// The products by which two catalogues differ, found by their ids.
///
/// Removing `removed`, replacing `changed` and inserting `added` turns the earlier catalogue into the later one.
/// Finding it takes milliseconds for thousands of products, less if the later one records its origin.
package struct CatalogueDifference: Sendable {
    package let from: Catalogue
    package let to: Catalogue
    /// The positions of new ids in the later catalogue, in order.
    package private(set) var added: [Int] = []
    /// The positions of missing ids in the earlier catalogue, in order.
    package private(set) var removed: [Int] = []
    /// The positions of an id whose product differs, in the order of the later catalogue.
    package private(set) var changed: [(before: Int, after: Int)] = []
    /// The position in the earlier catalogue behind the product that was found last: most catalogues keep their order.
    private var expected = 0

    package init(from: Catalogue, to: Catalogue) {
        (self.from, self.to) = (from, to)
        guard from.revision != to.revision else { return }
        let (old, new) = (from.array, to.array)
        // Unseen products may share an id, which only a look-up resolves.
        let isSeen = !from.isUnseen
        if let changes = to.changes, changes.revision == from.revision {
            for position in changes.positions {
                if from.count == to.count { expected = position }
                compare(position, old, new, isSeen: isSeen)
            }
        } else {
            for position in 0..<to.count { compare(position, old, new, isSeen: isSeen) }
        }
        guard from.count + added.count > to.count else { return }
        for position in 0..<from.count where to.position(ofEncodedID: from.encodedID(at: position)) == nil {
            removed.append(position)
        }
    }

    private mutating func compare(_ position: Int, _ old: EncodedArray, _ new: EncodedArray, isSeen: Bool) {
        let isNext = isSeen && new.hasID(at: position, of: old, at: expected)
        guard let before = isNext ? expected : from.position(ofEncodedID: to.encodedID(at: position)) else {
            return added.append(position)
        }
        expected = before + 1
        if !old.bytes.span.hasSame(old.ranges[before], as: new.bytes.span, new.ranges[position]) {
            changed.append((before, position))
        }
    }
}

/// A product in two catalogues. One side is missing if it was added or removed.
package struct ProductChange: Sendable {
    package let before: ProductText?
    package let after: ProductText?

    package init(from before: ProductText?, to after: ProductText?) {
        (self.before, self.after) = (before, after)
    }

    /// The rounded quotient of the higher and the lower price, for ranking changes; infinite beyond any factor.
    package var priceRatio: Double {
        guard let before, let after, before.price != after.price else { return 1 }
        guard before.currency == after.currency, let old = Double(before.amount), let new = Double(after.amount),
            min(old, new) > 0
        else { return .infinity }
        return max(old, new) / min(old, new)
    }

    /// The change as messages name it: by its price or, if that is unchanged, by the first member that differs.
    package var example: BoundBreach.Example {
        let (old, new) = (before?.price, after?.price)
        let id = (after ?? before)?.id ?? ""
        if old == new, let before, let after {
            let (old, new) = (before.members, after.members)
            for name in old.keys + new.keys where old[name] != new[name] {
                return BoundBreach.Example(
                    id: id, member: name, before: old[name].map(Self.excerpt), after: new[name].map(Self.excerpt))
            }
        }
        return BoundBreach.Example(id: id, member: ProductMember.price, before: old, after: new)
    }

    /// The loss, or lack, of a member as messages name it.
    package func example(lacking member: String) -> BoundBreach.Example {
        BoundBreach.Example(
            id: (after ?? before)?.id ?? "", member: member, before: before?.members[member].map(Self.excerpt),
            after: nil)
    }

    private static func excerpt(_ value: JSONValue) -> String { "\(TextExcerpt(value.description, limit: 40))" }
}

extension CatalogueDifference {
    /// Whether a price moved by more than a factor, at a pair of positions of `changed`.
    package func movesPrice(at positions: (before: Int, after: Int), beyond factor: PriceFactor) -> Bool {
        let after = ProductText(to.encoded, to.ranges[positions.after])
        return factor.isExceeded(from: ProductText(from.encoded, from.ranges[positions.before], like: after), to: after)
    }

    /// The product at a pair of positions of `changed`.
    package func change(_ positions: (before: Int, after: Int)) -> ProductChange {
        let after = to.text(at: positions.after)
        return ProductChange(
            from: ProductText(from.encoded, from.ranges[positions.before], like: after), to: after)
    }
}

/// Limits how far a price may move. Prices are compared without rounding.
package struct PriceFactor: Sendable, Hashable, CustomStringConvertible {
    /// The factor in plain notation.
    package let description: String
    /// The factor is the quotient of these.
    private let (multiplier, divisor): (Int128, Int128)

    /// Nil for a text that is not a number above 1 of at most nine digits.
    package init?(_ text: String) {
        guard let parts = JSONNumber(literal: text)?.decimalParts, !parts.isNegative, (-8...8).contains(parts.exponent),
            parts.digits.utf8.count <= 9, let digits = Int128(parts.digits)
        else { return nil }
        var (multiplier, divisor) = (digits, Int128(1))
        for _ in 0..<abs(parts.exponent) { if parts.exponent > 0 { multiplier *= 10 } else { divisor *= 10 } }
        guard multiplier > divisor else { return nil }
        (self.multiplier, self.divisor) = (multiplier, divisor)
        description = JSONNumber(plain: parts).literal
    }

    /// Whether the price of a product moved by more than the factor, up or down. A move from or to zero, or into another
    /// currency, is beyond any factor.
    package func isExceeded(from before: ProductText, to after: ProductText) -> Bool {
        let (oldText, newText) = (before.encoded.span, after.encoded.span)
        guard newText.hasSame(after.currencyRange, as: oldText, before.currencyRange) else { return true }
        if newText.hasSame(after.amountRange, as: oldText, before.amountRange) { return false }
        let (oldKey, newKey) = (before.amountKey, after.amountKey)
        guard min(oldKey, newKey) > 0 else { return true }
        if PlainAmount.isExact(oldKey), PlainAmount.isExact(newKey) {
            return Int128(max(oldKey, newKey)) * divisor > Int128(min(oldKey, newKey)) * multiplier
        }
        let (old, new) = (before.encoded[before.amountRange], after.encoded[after.amountRange])
        let (lower, higher) = PlainAmount(old) < PlainAmount(new) ? (old, new) : (new, old)
        return Magnitude(lower).multiplied(by: multiplier) < Magnitude(higher).multiplied(by: divisor)
    }
}

/// A number above zero of any length, by its digits.
private struct Magnitude: Comparable {
    /// The digits from the highest to the lowest, without zeros at either end.
    private let digits: [UInt8]
    /// The number of digits before the point, below zero for a fraction that begins with zeros.
    private let point: Int

    private init(digits: [UInt8], point: Int) {
        (self.digits, self.point) = (digits, point)
    }

    /// - Parameter amount: an amount of a canonical encoding.
    init(_ amount: ArraySlice<UInt8>) {
        let parts = JSONNumber(literal: String(decoding: amount, as: UTF8.self))?.decimalParts
        digits = (parts?.digits ?? "").utf8.map { $0 - UInt8(ascii: "0") }
        point = digits.count + (parts?.exponent ?? 0)
    }

    func multiplied(by factor: Int128) -> Magnitude {
        var (product, rest): ([UInt8], Int128) = ([], 0)
        for digit in digits.reversed() {
            let sum = Int128(digit) * factor + rest
            product.append(UInt8(sum % 10))
            rest = sum / 10
        }
        while rest > 0 {
            product.append(UInt8(rest % 10))
            rest /= 10
        }
        return Magnitude(
            digits: product.drop { $0 == 0 }.reversed(), point: point + product.count - digits.count)
    }

    static func < (left: Magnitude, right: Magnitude) -> Bool {
        left.point == right.point ? left.digits.lexicographicallyPrecedes(right.digits) : left.point < right.point
    }
}
