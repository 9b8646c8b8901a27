internal import Products

/// What stands for a subject within an experiment: half of the digest by which it is split, as two numbers.
struct ExperimentSubject: Sendable, Hashable {
    let high: UInt64
    let low: UInt64

    /// As it stands in events: 32 hexadecimal digits, the same within an experiment, unrelated in another one.
    var pseudonym: String { high.hexDigits + low.hexDigits }
}
