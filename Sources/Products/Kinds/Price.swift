package import FoundationEssentials
package import JSON

/// The price of a product: a decimal amount and its currency.
///
/// In JSON the amount is a number, or a string that holds one, and stays exact: one that a `Decimal` cannot hold is an
/// error. It is written as a number without redundant zeros.
package struct Price: Sendable, Hashable {
    /// The amount, in the currency's main unit.
    package var amount: Decimal { exactAmount.value }

    /// The ISO 4217 code of the currency, unchecked.
    package var currency: String
    /// The other members in their order, to be written back unchanged.
    package private(set) var attributes = JSONObject()
    private let exactAmount: ExactDecimal
    /// The digits of the amount in plain notation; nil for NaN.
    var digits: JSONNumber? { exactAmount.digits }
    private static let known: Set = [Member.amount, Member.currency]

    /// The names of the members.
    enum Member {
        static let amount = "amount"
        static let currency = "currency"
    }

    static let memberDescriptions: [MemberDescription] = [
        .always(Member.amount, .decimal, "in the currency's main unit"),
        .always(Member.currency, .text, "the ISO 4217 code of the currency"),
    ]

    package init(amount: Decimal, currency: String) {
        exactAmount = ExactDecimal(amount)
        self.currency = currency
    }

    init(_ reader: MemberReader) throws {
        exactAmount = try reader.decimal(Member.amount)
        currency = Currency.inCapitals(try reader.string(Member.currency))
        attributes = reader.others(than: Self.known)
    }

    func members(at path: @autoclosure () -> MemberPath) throws -> JSONObject {
        var members: JSONObject = [
            Member.amount: try exactAmount.json(at: path()[Member.amount]), Member.currency: .string(currency),
        ]
        for attribute in attributes.members { members[attribute.key] = attribute.value }
        return members
    }
}

/// A decimal with its digits, since formatting a `Decimal` costs more than encoding the rest of a product.
package struct ExactDecimal: Sendable, Hashable {
    /// The number of arbitrary digits that a decimal can hold.
    package static let mostDigits = 38

    package let value: Decimal
    /// The digits in plain notation, equal for equal decimals; nil for NaN.
    package let digits: JSONNumber?

    package init(_ value: Decimal) {
        self.value = value
        digits = JSONNumber(literal: value.description)?.decimalParts.map(JSONNumber.init(plain:))
    }

    /// Nil when a decimal cannot hold every digit of the number.
    package init?(_ number: JSONNumber) {
        if let plain = Self(plain: number) {
            self = plain
            return
        }
        guard let parts = number.decimalParts, let value = Self.value(parts) else { return nil }
        self.value = value
        digits = JSONNumber(plain: parts)
    }

    /// The fast path for short numbers in plain notation, as most are; nil for all others.
    private init?(plain number: JSONNumber) {
        let text = number.literal.utf8
        guard text.count < 19 else { return nil }
        var (significand, fraction, inFraction, last) = (UInt64(0), 0, false, UInt8(0))
        for byte in text {
            last = byte
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                significand = significand * 10 + UInt64(byte - UInt8(ascii: "0"))
                if inFraction { fraction += 1 }
            case UInt8(ascii: "."): inFraction = true
            case UInt8(ascii: "-"): continue
            default: return nil
            }
        }
        guard significand != 0, !inFraction || last != UInt8(ascii: "0") else { return nil }
        let sign: FloatingPointSign = text.first == UInt8(ascii: "-") ? .minus : .plus
        value = Decimal(sign: sign, exponent: -fraction, significand: Decimal(significand))
        digits = number
    }

    private static func value(_ parts: JSONNumber.DecimalParts) -> Decimal? {
        if parts.digits.isEmpty { return 0 }
        guard parts.digits.utf8.count <= mostDigits, (-128...127).contains(parts.exponent),
            let significand = Decimal(string: parts.digits)
        else { return nil }
        return Decimal(sign: parts.isNegative ? .minus : .plus, exponent: parts.exponent, significand: significand)
    }

    /// - Throws: `EncodingError` with the path for NaN.
    func json(at path: @autoclosure () -> MemberPath) throws -> JSONValue {
        guard let digits else {
            throw EncodingError.invalidValue(
                value,
                EncodingError.Context(codingPath: path().codingPath, debugDescription: "\(value) is not a number"))
        }
        return .number(digits)
    }
}

/// A currency of ISO 4217.
package struct Currency: Sendable, Hashable {
    /// The digits after the decimal point: none for JPY, three for KWD, two for most.
    package let minorDigits: Int

    /// The minor digits of most currencies.
    static let usualMinorDigits = 2

    /// Finds a currency by its code in capitals; nil when the standard has none.
    package init?(code: String) {
        guard let minorDigits = Self.known[code] else { return nil }
        self.minorDigits = minorDigits
    }

    /// Whether a text is the code of a currency, in capitals.
    static func isKnown(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        range.count == 3 && codes.contains(range.reduce(0) { $0 << 8 | UInt32(text[$1]) })
    }

    /// The codes as numbers of three bytes.
    private static let codes = Set(known.keys.map { $0.utf8.reduce(0) { $0 << 8 | UInt32($1) } })

    /// Returns a code of the standard in capitals, and any other text as it is.
    static func inCapitals(_ text: String) -> String {
        guard text.utf8.contains(where: isLowercase) else { return text }
        let code = text.uppercased()
        return known[code] == nil ? text : code
    }

    static func isLowercase(_ letter: UInt8) -> Bool { letter &- UInt8(ascii: "a") < 26 }

    private static let known: [String: Int] = {
        var known: [String: Int] = [:]
        for (minorDigits, codes) in [usualMinorDigits: usual, 0: whole, 3: thousandths, 4: tenThousandths] {
            for code in codes.split(whereSeparator: \.isWhitespace) { known[String(code)] = minorDigits }
        }
        return known
    }()

    private static let usual = """
        AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF
        CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF
        IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN
        MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS
        SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG
        """
    private static let whole = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"
    private static let thousandths = "BHD IQD JOD KWD LYD OMR TND"
    private static let tenThousandths = "CLF UYW"
}

/// An amount as its digits in plain notation, which are the same for equal amounts.
package struct PlainAmount: Comparable {
    /// The digits of a key before and behind the point.
    private static let (whole, fraction) = (12, 6)
    private static let beyond = 2_000_000_000_000_000_001

    private let text: [UInt8]

    /// - Parameter text: an amount of a canonical encoding.
    package init(_ text: ArraySlice<UInt8>) {
        self.text = Array(text)
    }

    /// An amount that is not a number comes before all others.
    package init(_ amount: Decimal) {
        text = ExactDecimal(amount).digits.map { Array($0.literal.utf8) } ?? []
    }

    package static func < (left: PlainAmount, right: PlainAmount) -> Bool {
        guard !left.text.isEmpty, !right.text.isEmpty else { return left.text.isEmpty && !right.text.isEmpty }
        let (leftKey, rightKey) = (key(left.text.span, left.text.indices), key(right.text.span, right.text.indices))
        if leftKey != rightKey { return leftKey < rightKey }
        if isExact(leftKey) { return false }
        return leftKey < 0 ? isNearer(right.magnitude, left.magnitude) : isNearer(left.magnitude, right.magnitude)
    }

    /// A number in the order of the amounts, of twelve digits before the point and six behind. An even key is exact:
    /// amounts with that key are equal. Bytes that are not an amount have an arbitrary key.
    package static func key(_ text: Span<UInt8>, _ range: Range<Int>) -> Int {
        var (number, digits, point) = (0, 0, -1)
        guard !range.isEmpty else { return 0 }
        let isNegative = text[range.lowerBound] == UInt8(ascii: "-")
        for at in (isNegative ? range.dropFirst() : range) {
            if text[at] == UInt8(ascii: ".") {
                point = digits
                continue
            }
            if point < 0 ? digits == whole : digits - point == fraction {
                let key = point < 0 ? beyond : number &* 2 &+ 1
                return isNegative ? 0 &- key : key
            }
            number = number &* 10 &+ Int(text[at] &- UInt8(ascii: "0"))
            digits += 1
        }
        for _ in (point < 0 ? 0 : digits - point)..<fraction { number = number &* 10 }
        return isNegative ? number &* -2 : number &* 2
    }

    /// The key of an amount in plain notation.
    static func key(of amount: JSONNumber) -> Int {
        let text = Array(amount.literal.utf8)
        return key(text.span, text.indices)
    }

    package static func isExact(_ key: Int) -> Bool { key & 1 == 0 }

    /// The digits without the sign.
    private var magnitude: ArraySlice<UInt8> {
        text.first == UInt8(ascii: "-") ? text.dropFirst() : text[...]
    }

    /// Whether a magnitude is less than another one: its integer part is shorter, or its digits sort first.
    private static func isNearer(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Bool {
        let point = UInt8(ascii: ".")
        let (leftWhole, rightWhole) = (left.prefix { $0 != point }.count, right.prefix { $0 != point }.count)
        return leftWhole == rightWhole ? left.lexicographicallyPrecedes(right) : leftWhole < rightWhole
    }
}
