internal import Concurrency
internal import FoundationEssentials
internal import Products

/// Corrects the dates of stored snapshots that a wrong clock has dated.
final class SnapshotDates: Sendable {
    /// The last catalogue saved, and the wall clock's origin then.
    private struct Newest {
        let checkedAt: Date
        let fetchedAt: Date
        let origin: Date
        var isSaved = true
    }

    /// The last snapshot served: the time on disk, its replacement if it was in the future, and the wall clock's origin
    /// then.
    private struct Given {
        let checkedAt: Date
        let replacement: Date?
        let origin: Date
    }

    private struct State {
        var newest: Newest?
        var given: Given?
    }

    private let wallClock: WallClock
    private let state = Mutex(State())

    init(_ wallClock: WallClock) {
        self.wallClock = wallClock
    }

    func saving(_ snapshot: ProductsSnapshot) {
        let origin = wallClock.origin(at: wallClock.now())
        state.withLock {
            $0.newest = Newest(checkedAt: snapshot.checkedAt, fetchedAt: snapshot.fetchedAt, origin: origin)
        }
    }

    func failed(_ snapshot: ProductsSnapshot) {
        state.withLock { if $0.newest?.checkedAt == snapshot.checkedAt { $0.newest?.isSaved = false } }
    }

    /// Returns a stored snapshot with its date by the present clock.
    ///
    /// - If the clock was set back since the newest was saved, that one and earlier ones are older by the same amount,
    ///   and so is one that was served before.
    /// - If the newest could not be saved, a stored one is older than it, whatever its date.
    /// - A date in the future becomes a day ago, even when its time has come: the real time is unknown, so it must not
    ///   seem newer than what was fetched since.
    func credible(_ snapshot: ProductsSnapshot) -> ProductsSnapshot {
        let wall = wallClock.now()
        let origin = wallClock.origin(at: wall)
        return state.withLock { state in
            if let newest = state.newest {
                let back = Self.seconds(from: newest.origin, backTo: origin)
                let isOther = snapshot.checkedAt != newest.checkedAt
                if !newest.isSaved, isOther, snapshot.fetchedAt >= newest.fetchedAt {
                    return snapshot.dated(newest.fetchedAt - back - 1)
                }
                if snapshot.checkedAt <= newest.checkedAt, back > 0 { return snapshot.earlier(by: back) }
            }
            if let given = state.given, given.checkedAt == snapshot.checkedAt {
                let back = Self.seconds(from: given.origin, backTo: origin)
                return given.replacement.map { snapshot.dated($0 - back) } ?? snapshot.earlier(by: back)
            }
            let credible = snapshot.credible(at: wall)
            let replacement = credible.checkedAt == snapshot.checkedAt ? nil : credible.fetchedAt
            state.given = Given(checkedAt: snapshot.checkedAt, replacement: replacement, origin: origin)
            return credible
        }
    }

    /// The seconds by which a clock was set back; 0 if it was not.
    private static func seconds(from origin: Date, backTo later: Date) -> Double {
        let back = origin.timeIntervalSince(later)
        return back > ProductsSnapshot.tolerance ? back : 0
    }
}
