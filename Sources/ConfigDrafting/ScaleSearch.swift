internal import Decoding
internal import JSON
internal import Products
internal import Text

/// Finds whether amounts are in minor units. What a document leaves open is a question.
struct ScaleSearch {
    private static let minorWords: Set = ["cent", "cents", "minor", "pence", "subunit", "subunits", "centimes"]
    private static let minorNames = ["unitamount", "priceminor"]

    let members: ItemMembers
    let settings: DraftSettings

    /// Returns the scale of amounts as written, with the reason; nil for decimal amounts.
    func scale(
        of place: MemberPlace, in source: CurrencySearch.Source
    ) throws(DraftProblem) -> (written: String, reason: String)? {
        if let stated = settings["price.scale"] {
            if stated == "decimal" { return nil }
            guard stated == "currency" || Int(stated).map(FieldScale.range.contains) == true else {
                throw .failure("price.scale is decimal, currency or a number of digits; found \"\(stated.printable)\"")
            }
            return (stated, "Minor units, as stated.")
        }
        let texts = place.values.compactMap(\.scalarText).filter { JSONNumber(literal: $0) != nil }
        let hasPoint = texts.contains { $0.contains(".") || $0.lowercased().contains("e") }
        let isMinor =
            place.components.contains { !$0.nameWords.isDisjoint(with: Self.minorWords) }
            || Self.minorNames.contains(place.plainName)
        if !hasPoint, let divisor = divisor(beside: place) {
            return ("{ divisor: \(YAMLText.scalar(divisor)) }", "Minor units, divided by \"\(divisor)\".")
        }
        if !hasPoint, let digits = digits(beside: place) {
            return ("{ path: \(YAMLText.scalar(digits)) }", "Minor units, as many digits as \"\(digits)\" says.")
        }
        if hasPoint, !isMinor { return nil }
        if isMinor, !hasPoint { return ("currency", "Minor units: the name says so.") }
        // A currency without minor units has whole amounts.
        switch source {
        case .constant(let code) where Currency(code: code)?.minorDigits == 0: return nil
        case .chosen(_, let code) where Currency(code: code)?.minorDigits == 0: return nil
        default: break
        }
        let example = texts.first { $0 != "0" } ?? "1999"
        throw .question(
            DraftQuestion(
                "price.scale", "the amounts at \"\(place.path)\" (\(place.examples)) may be in minor units or not",
                [
                    ("decimal", "\(example) is \(example)"),
                    ("currency", "\(example) is in cents, or whatever the minor unit of the currency is"),
                ]))
    }

    /// The path to the number of digits that stands beside an amount.
    private func digits(beside place: MemberPlace) -> String? {
        guard place.isPlain else { return nil }
        return path(
            beside: place, ["currencyminorunit", "minorunit", "fractiondigits", "exponent", "decimals", "precision"]
        ) { (0...6).contains($0) }
    }

    /// The path to the power of ten that stands beside an amount, as in `{ amount, divisor, currency_code }`.
    private func divisor(beside place: MemberPlace) -> String? {
        guard place.isPlain else { return nil }
        return path(beside: place, ["divisor"]) { [1, 10, 100, 1000, 10_000].contains($0) }
    }

    /// The path to a whole number that every item has which has an amount.
    private func path(
        beside place: MemberPlace, _ names: Set<String>, where isAccepted: (Int) -> Bool
    ) -> String? {
        members.places.first { other in
            other.components.dropLast() == place.components.dropLast() && names.contains(other.plainName)
                && other.itemCount == place.itemCount
                && other.values.allSatisfy { $0.number?.integer.map(isAccepted) ?? false }
        }?.path
    }
}
