internal import Concurrency
internal import FoundationEssentials
internal import HTTPServer

/// Makes modification times, to the second, each later than all before it.
///
/// Clients that compare only dates keep their copy when the date stands still or goes back. A replacement therefore counts
/// as modified when it comes into force, however old its catalogue is. Of two changes within a second the later one counts
/// for the next second, and is sent only when that has come.
final class ModificationTimes: Sendable {
    private struct State {
        /// The latest second of a change; the clock may have been set back since.
        var latest = Int.min
        var last = Int.min
    }

    private let wallClock: WallClock
    private let state = Mutex(State())

    init(wallClock: WallClock) {
        self.wallClock = wallClock
    }

    /// The modification time of a replacement.
    func next() -> LastModified {
        let now = LastModified(wallClock.now()).seconds
        return state.withLock { state in
            state.latest = max(state.latest, now)
            state.last = state.last < state.latest ? state.latest : state.latest + 1
            return LastModified(Date(timeIntervalSince1970: Double(state.last)))
        }
    }
}
