/// Numbers as both forms have them.
enum MetricNumber {
    /// The shortest text that means this number.
    static func text(_ number: Double) -> String {
        if number.isNaN { return "NaN" }
        if number.isInfinite { return number < 0 ? "-Inf" : "+Inf" }
        return "\(number)"
    }
}
