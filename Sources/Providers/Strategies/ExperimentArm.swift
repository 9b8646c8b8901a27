/// One of the two things that an A/B test compares. The raw value is the field's name in the config, and what stands in
/// trails and events.
enum ExperimentArm: String, Sendable, CaseIterable {
    /// The control.
    case a
    /// What is tried.
    case b

    /// The arm that is not this one.
    var other: ExperimentArm { self == .a ? .b : .a }
}
