extension JSONNumber {
    /// A number in plain notation: without an exponent, and without zeros that mean nothing.
    ///
    /// Its text is as long as the exponent is big, so the parts must come from a type that bounds it.
    public init(plain parts: DecimalParts) {
        let digits = parts.digits
        guard !digits.isEmpty else {
            self.init(unchecked: "0")
            return
        }
        let whole = digits.utf8.count + parts.exponent
        let text =
            if parts.exponent >= 0 {
                digits + String(repeating: "0", count: parts.exponent)
            } else if whole > 0 {
                "\(digits.prefix(whole)).\(digits.dropFirst(whole))"
            } else {
                "0." + String(repeating: "0", count: -whole) + digits
            }
        self.init(unchecked: parts.isNegative ? "-" + text : text)
    }
}
