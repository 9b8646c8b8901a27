internal import JSON

/// The variants in which a product is sold.
struct CopiedVariants: Sendable {
    let paths: [CopiedPath]
    let conditions: [CopiedCondition]
    let copy: ItemCopy
    /// The source of the product's currency.
    let currency: ItemCopy.Source?
}

/// The condition for an object.
enum CopiedObject: Sendable {
    case always
    /// Every member is there.
    case whole
    /// Every member is there, or none; an object with some is left to the rewriter.
    case wholeOrNone
    /// Any member is there.
    case some
}

extension JSONTape {
    /// Whether an object has no members but those with these names, which are in quotes and have a colon behind them.
    borrowing func hasOnly(_ names: [[UInt8]], in place: Int, _ text: Span<UInt8>) -> Bool {
        var inner = place + 1
        while inner < entries[place].next {
            let (start, count) = (entries[inner].keyStart, entries[inner].keyEnd - entries[inner].keyStart)
            let isKnown = names.contains { name in
                guard name.count == count + 3 else { return false }
                for offset in 0..<count where name[offset + 1] != text[start + offset] { return false }
                return true
            }
            guard isKnown else { return false }
            inner = entries[inner].next
        }
        return true
    }

    /// Whether a value is null or empty, or an object of such values.
    borrowing func isBlank(_ place: Int, _ text: Span<UInt8>) -> Bool {
        if isEmpty(place, text) { return true }
        guard text[entries[place].start] == UInt8(ascii: "{") else { return false }
        var inner = place + 1
        while inner < entries[place].next {
            guard isEmpty(inner, text) else { return false }
            inner = entries[inner].next
        }
        return true
    }

    private borrowing func isEmpty(_ place: Int, _ text: Span<UInt8>) -> Bool {
        let entry = entries[place]
        return switch text[entry.start] {
        case UInt8(ascii: "n"): true
        case UInt8(ascii: "\""), UInt8(ascii: "["), UInt8(ascii: "{"): entry.end - entry.start == 2
        default: false
        }
    }
}
