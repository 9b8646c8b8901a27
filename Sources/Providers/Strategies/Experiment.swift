internal import Concurrency
internal import FoundationEssentials
internal import Hashing
package import Products
internal import Text

/// The split of the subjects of an A/B test between its arms.
///
/// The split is sticky: it depends only on the experiment's name and the subject, so every replica and every restart
/// finds the same arm, and two experiments split the same subjects independently. Raising the share of `a` moves subjects
/// from `b` to `a` and none the other way.
package struct Experiment: Sendable {
    /// The arm of a request, and its subject.
    struct Assignment: Sendable, Hashable {
        let arm: ExperimentArm
        /// The subject's pseudonym; nil for a request without a subject.
        let subject: ExperimentSubject?
    }

    package let name: String
    /// The request header that holds the subject, in lower case.
    let header: String
    /// From 0 to 1.
    package let shareOfA: Double
    /// Identifies the settings of the experiment.
    let revision: UInt32
    /// The prefix of a subject's digest.
    private let seed: [UInt8]

    /// - Parameter header: the request header that holds the subject, in any case.
    package init(name: String, header: String, shareOfA: Double) {
        let header = header.lowercased()
        self.name = name
        self.header = header
        self.shareOfA = shareOfA
        revision = UInt32(truncatingIfNeeded: SHA256Digest(of: "\(name)\n\(header)\n\(shareOfA)".utf8).words[0] >> 32)
        seed = Array("\(name)\n".utf8)
    }

    /// Returns the arm of the subject in a header's value.
    ///
    /// A request without a subject, because the header is missing or empty, gets the control, `a`, unless the share of `a`
    /// is 0. A random split would not be sticky.
    func assignment(of value: String?) -> Assignment {
        guard let subject = value?.trimmedHeaderValue, !subject.isEmpty else {
            return Assignment(arm: shareOfA > 0 ? .a : .b, subject: nil)
        }
        let words = SHA256Digest(of: seed + subject.utf8).words
        return Assignment(
            arm: Self.fraction(words[0]) < shareOfA ? .a : .b,
            subject: ExperimentSubject(high: words[1], low: words[2]))
    }

    func arm(of value: String?) -> ExperimentArm { assignment(of: value).arm }

    /// The variation of answers by the arm of their subject.
    package var variation: RequestVariation {
        RequestVariation(
            header: header, rule: "experiment \(name)", variants: ExperimentArm.allCases.map(\.rawValue)
        ) { value in
            arm(of: value).rawValue
        }
    }

    /// Maps the number to the range from 0 to below 1, with all the digits that fit.
    private static func fraction(_ number: UInt64) -> Double {
        Double(number >> 11) * 0x1p-53
    }
}

/// An arm of an A/B test. The raw value is its name in the config, in trails and in events.
enum ExperimentArm: String, Sendable, CaseIterable {
    /// The control.
    case a
    /// The variant under test.
    case b

    var other: ExperimentArm { self == .a ? .b : .a }
}

/// A subject within an experiment: half of the digest that splits it, as two numbers.
struct ExperimentSubject: Sendable, Hashable {
    let high: UInt64
    let low: UInt64

    /// The subject in events: 32 hexadecimal digits, stable within an experiment, unrelated in another one.
    var pseudonym: String { high.hexDigits + low.hexDigits }
}

/// Remembers the subjects that have been exposed to an experiment, so that each is logged once.
///
/// It holds a bounded number: beyond that it forgets the oldest half, which then count as new. Subjects are spread over
/// shards, so that concurrent requests seldom meet at one lock.
final class ExposureLog: Sendable {
    private final class Shard: Sendable {
        private struct State {
            var recent: Set<ExperimentSubject> = []
            var older: Set<ExperimentSubject> = []
        }

        private let half: Int
        private let state = Mutex(State())

        init(capacity: Int) {
            half = max(1, capacity / 2)
        }

        func isFirst(_ subject: ExperimentSubject) -> Bool {
            state.withLock { state in
                if state.recent.contains(subject) { return false }
                if state.recent.count >= half {
                    state.older = state.recent
                    state.recent = []
                }
                state.recent.insert(subject)
                return !state.older.contains(subject)
            }
        }
    }

    private let shards: [Shard]

    /// - Parameters:
    ///   - capacity: the most subjects; at least about half as many are remembered.
    ///   - shards: the number of locks.
    init(capacity: Int = 100_000, shards: Int = 16) {
        self.shards = (0..<shards).map { _ in Shard(capacity: capacity / shards) }
    }

    /// Remembers the subject. Returns whether it was not remembered before.
    func isFirst(_ subject: ExperimentSubject) -> Bool {
        shards[Int(subject.low % UInt64(shards.count))].isFirst(subject)
    }
}
