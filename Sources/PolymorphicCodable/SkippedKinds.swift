import Locks

/// Collects the values that the policy `skip` leaves out, in the order in which they are met.
///
/// It may be shared by decodings on several threads. What is met twice, since a type tries to decode one place in two
/// ways, is collected twice.
public final class SkippedKinds: Sendable {
    private let collected = Mutex<[SkippedKind]>([])

    /// A collector of nothing yet.
    public init() {}

    /// What was skipped so far.
    public var all: [SkippedKind] {
        collected.withLock { $0 }
    }

    /// What was skipped since the last call.
    public func take() -> [SkippedKind] {
        collected.withLock { collected in
            defer { collected = [] }
            return collected
        }
    }

    func append(_ skipped: SkippedKind) {
        collected.withLock { $0.append(skipped) }
    }
}
