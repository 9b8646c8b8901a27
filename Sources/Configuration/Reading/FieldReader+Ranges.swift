/// The getters of numbers and durations that must lie in a range.
extension FieldReader {
    /// The whole number of a field that is required or has a default; outside `range` it is a problem.
    public func integer(_ field: String, in range: some RangeExpression<Int>) -> Int {
        required(field, .integer, in: range) { "\($0)" }
    }

    /// The whole number of a field, or nil when it is absent; outside `range` it is a problem.
    public func optionalInteger(_ field: String, in range: some RangeExpression<Int>) -> Int? {
        optional(field, .integer, in: range) { "\($0)" }
    }

    /// The number of a field that is required or has a default; outside `range` it is a problem.
    public func number(_ field: String, in range: some RangeExpression<Double>) -> Double {
        required(field, .number, in: range) { "\($0)" }
    }

    /// The number of a field, or nil when it is absent; outside `range` it is a problem.
    public func optionalNumber(_ field: String, in range: some RangeExpression<Double>) -> Double? {
        optional(field, .number, in: range) { "\($0)" }
    }

    /// The duration of a field that is required or has a default; outside `range` it is a problem.
    public func duration(_ field: String, in range: some RangeExpression<Duration>) -> Duration {
        required(field, .duration, in: range, DurationText.format)
    }

    /// The duration of a field, or nil when it is absent; outside `range` it is a problem.
    public func optionalDuration(_ field: String, in range: some RangeExpression<Duration>) -> Duration? {
        optional(field, .duration, in: range, DurationText.format)
    }

    /// The number of bytes of a field that is required or has a default; outside `range` it is a problem.
    public func size(_ field: String, in range: some RangeExpression<Int>) -> Int {
        required(field, .size, in: range, SizeText.format)
    }

    /// The number of bytes of a field, or nil when it is absent; outside `range` it is a problem.
    public func optionalSize(_ field: String, in range: some RangeExpression<Int>) -> Int? {
        optional(field, .size, in: range, SizeText.format)
    }
}
