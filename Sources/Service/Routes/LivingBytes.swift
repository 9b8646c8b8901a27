internal import struct Synchronization.Atomic

/// The bytes of answers that were made for single questions and are still there: kept to be sent again, or on their way
/// to clients, which may take their time.
///
/// A cache bounds what it keeps alone. Who reads slowly holds what no cache keeps any more, so this is counted from the
/// making of an answer until the last connection is done with it, over all revisions and configs of the process.
final class LivingBytes: Sendable {
    /// Some of the bytes, which count as long as somebody holds this.
    final class Claim: Sendable {
        private let count: Int
        private let isShared: Bool
        private let living: LivingBytes

        fileprivate init(_ count: Int, isShared: Bool = false, of living: LivingBytes) {
            self.count = count
            self.isShared = isShared
            self.living = living
        }

        deinit {
            if isShared {
                living.shared.wrappingSubtract(count, ordering: .relaxed)
            } else {
                living.claimed.wrappingSubtract(count, ordering: .relaxed)
            }
        }
    }

    /// What may be claimed at least beside what caches keep, however small the catalogue is.
    let allowance: Int
    private let claimed = Atomic(0)
    private let slowReaders: SlowReaders?
    private let shared = Atomic(0)

    /// - Parameter slowReaders: the connections that may be closed to free bytes; nil for none.
    init(allowance: Int = 64 << 20, slowReaders: SlowReaders? = nil) {
        self.allowance = allowance
        self.slowReaders = slowReaders
    }

    /// How many bytes are claimed.
    var count: Int { claimed.load(ordering: .relaxed) }

    /// Closes connections of slow readers until `count` more bytes fit below `limit`, with a sixteenth of it to spare.
    /// It may free less when there are no more slow readers.
    func makeRoom(for count: Int, upTo limit: Int) async {
        guard let slowReaders, self.count + count > limit else { return }
        await slowReaders.release {
            let missing = self.count + count - limit
            return missing > 0 ? missing + limit / 16 : 0
        }
    }

    /// How many bytes of whole catalogues, which all clients share, are there, those of replaced revisions included that
    /// are still being sent.
    var sharedCount: Int { shared.load(ordering: .relaxed) }

    /// Counts bytes of a whole catalogue until the claim is released. They have no limit: every client is to get them.
    func shared(_ count: Int) -> Claim {
        shared.wrappingAdd(count, ordering: .relaxed)
        return Claim(count, isShared: true, of: self)
    }

    /// Has bytes counted from now on.
    /// - Throws: when there would be more than the limit.
    func claim(_ count: Int, upTo limit: Int) throws(TooManyAnswers) -> Claim {
        guard claimed.wrappingAdd(count, ordering: .relaxed).newValue <= limit else {
            claimed.wrappingSubtract(count, ordering: .relaxed)
            throw TooManyAnswers()
        }
        return Claim(count, of: self)
    }
}
