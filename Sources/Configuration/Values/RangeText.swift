/// Says what a range allows, for values outside it.
enum RangeText {
    /// `at least 1`, `at most 10`, `from 1 to 10`, or nil for kinds of range that have no words here.
    static func describe<Bound>(_ range: some RangeExpression<Bound>, _ format: (Bound) -> String) -> String? {
        switch range {
        case let range as ClosedRange<Bound>: "from \(format(range.lowerBound)) to \(format(range.upperBound))"
        case let range as PartialRangeFrom<Bound>: "at least \(format(range.lowerBound))"
        case let range as PartialRangeThrough<Bound>: "at most \(format(range.upperBound))"
        case let range as Range<Bound>: "at least \(format(range.lowerBound)) and below \(format(range.upperBound))"
        case let range as PartialRangeUpTo<Bound>: "below \(format(range.upperBound))"
        default: nil
        }
    }

    /// A value within the range, or nil where none is easily had.
    static func sample<Bound>(_ range: some RangeExpression<Bound>) -> Bound? {
        switch range {
        case let range as ClosedRange<Bound>: range.lowerBound
        case let range as PartialRangeFrom<Bound>: range.lowerBound
        case let range as PartialRangeThrough<Bound>: range.upperBound
        case let range as Range<Bound>: range.isEmpty ? nil : range.lowerBound
        default: nil
        }
    }
}
