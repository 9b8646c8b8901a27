internal import JSON

extension JSONNumber {
    /// The number divided by ten to the power of `scale`, to the digit and in plain notation; nil when its exponent is
    /// beyond all use.
    func divided(byTenTo scale: Int) -> JSONNumber? {
        guard let parts = decimalParts else { return nil }
        guard !parts.digits.isEmpty else { return JSONNumber(0) }
        guard (-1000...1000).contains(parts.exponent) else { return nil }
        let sign = parts.isNegative ? "-" : ""
        let shifted = JSONNumber(literal: "\(sign)\(parts.digits)e\(parts.exponent - scale)")
        return shifted?.decimalParts.map(JSONNumber.init(plain:))
    }
}
