internal import Hashing
internal import FoundationEssentials
internal import Products

/// The rule by which the subjects of an A/B test are split between its arms.
///
/// The split is sticky: it depends on nothing but the experiment's name and the subject, so every replica and every
/// restart comes to the same arm, and two experiments split the same subjects independently. Raising the share of `a`
/// moves subjects from `b` to `a` and none the other way.
struct Experiment: Sendable {
    /// What is decided about a subject.
    struct Assignment: Sendable, Hashable {
        let arm: ExperimentArm
        /// What stands for the subject; nil for a request that has none.
        let subject: ExperimentSubject?
    }

    let name: String
    /// From 0 to 1.
    let shareOfA: Double
    /// What tells this setting of the experiment from another one.
    let revision: UInt32
    /// What the digest of a subject begins with.
    private let seed: [UInt8]

    /// - Parameter header: the request header that holds the subject.
    init(name: String, header: String, shareOfA: Double) {
        self.name = name
        self.shareOfA = shareOfA
        revision = UInt32(truncatingIfNeeded: SHA256Digest(of: "\(name)\n\(header)\n\(shareOfA)".utf8).words[0] >> 32)
        seed = Array("\(name)\n".utf8)
    }

    /// The arm of the subject that a header's value names.
    ///
    /// Who has no subject, as the header is missing or empty, gets the control, `a`, unless `a` is for nobody: such
    /// requests cannot be split by chance, since their next one would be split again.
    func assignment(of value: String?) -> Assignment {
        guard let subject = value.map(HeaderValue.trimmed), !subject.isEmpty else {
            return Assignment(arm: shareOfA > 0 ? .a : .b, subject: nil)
        }
        let words = SHA256Digest(of: seed + subject.utf8).words
        return Assignment(
            arm: Self.fraction(words[0]) < shareOfA ? .a : .b,
            subject: ExperimentSubject(high: words[1], low: words[2]))
    }

    /// The arm alone.
    func arm(of value: String?) -> ExperimentArm { assignment(of: value).arm }

    /// The number as a part of all numbers there are: at least 0, less than 1, with all the digits that fit.
    private static func fraction(_ number: UInt64) -> Double {
        Double(number >> 11) * 0x1p-53
    }
}
