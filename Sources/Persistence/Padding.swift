/// Numbers of a fixed width.
enum Padding {
    /// The number with zeros before it, up to the width.
    static func zeros(_ number: some BinaryInteger, width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
