internal import FoundationEssentials
internal import Locks
internal import Products

/// The moments at which what is served became another, to the second, each later than all that clients were told before.
///
/// Clients that compare dates alone keep what they have when the date stands still or goes back. What replaces something
/// else therefore counts as modified when it does, however old it is: an older catalogue that has to stand in for the last
/// one, or the same catalogue by other rules. Of two changes within a second the later one counts for the next second,
/// which no client is told before it has come.
final class ModificationTimes: Sendable {
    private struct State {
        /// The latest second in which something changed, although the clock may have been set back since.
        var latest = Int.min
        var last = Int.min
    }

    private let wallClock: WallClock
    private let state = Mutex(State())

    init(wallClock: WallClock) {
        self.wallClock = wallClock
    }

    /// That of what is served from now on.
    func next() -> LastModified {
        let now = LastModified(wallClock.now()).seconds
        return state.withLock { state in
            state.latest = max(state.latest, now)
            state.last = state.last < state.latest ? state.latest : state.latest + 1
            return LastModified(Date(timeIntervalSince1970: Double(state.last)))
        }
    }
}
