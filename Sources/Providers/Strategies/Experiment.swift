internal import Concurrency
internal import FoundationEssentials
internal import Hashing
internal import Products
internal import Text

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

/// What stands for a subject within an experiment: half of the digest by which it is split, as two numbers.
struct ExperimentSubject: Sendable, Hashable {
    let high: UInt64
    let low: UInt64

    /// As it stands in events: 32 hexadecimal digits, the same within an experiment, unrelated in another one.
    var pseudonym: String { high.hexDigits + low.hexDigits }
}

/// Remembers who has been exposed to which revision of an experiment, so that it is told once.
///
/// It holds a bounded number: beyond that the oldest half is forgotten, and who is forgotten counts as new. Subjects
/// are spread over shards, so that requests at the same time seldom meet at the same lock.
final class ExposureLog: Sendable {
    /// That a subject is shown what an experiment, in this revision, has for them.
    struct Exposure: Sendable, Hashable {
        let revision: UInt32
        let subject: ExperimentSubject
    }

    private final class Shard: Sendable {
        private struct State {
            var recent: Set<Exposure> = []
            var older: Set<Exposure> = []
        }

        private let half: Int
        private let state = Mutex(State())

        init(capacity: Int) {
            half = max(1, capacity / 2)
        }

        func isFirst(_ exposure: Exposure) -> Bool {
            state.withLock { state in
                if state.recent.contains(exposure) { return false }
                if state.recent.count >= half {
                    state.older = state.recent
                    state.recent = []
                }
                state.recent.insert(exposure)
                return !state.older.contains(exposure)
            }
        }
    }

    private let shards: [Shard]

    /// - Parameters:
    ///   - capacity: how many are remembered at most; half as many are at least, as evenly as chance spreads them.
    ///   - shards: among how many locks requests are spread.
    init(capacity: Int = 100_000, shards: Int = 16) {
        self.shards = (0..<shards).map { _ in Shard(capacity: capacity / shards) }
    }

    /// Whether this is the first of its kind, as far as is remembered.
    func isFirst(_ exposure: Exposure) -> Bool {
        shards[Int(exposure.subject.low % UInt64(shards.count))].isFirst(exposure)
    }
}
