internal import Concurrency
internal import HTTPServer
internal import Products

/// Sends each new revision in force to all its streams: when a memory reports a change, and else by polls.
///
/// An event is encoded once, and its bytes are shared. Nothing is sent under the lock.
final class RevisionFeed: Sendable {
    private struct State {
        var streams: [Int: HTTPEventStream] = [:]
        /// The clients that came when there was nothing to serve.
        var waiting: [Int: Waiting] = [:]
        /// The last revision that was sent; nil without streams.
        var current: EncodedListing?
        var polling: Task<Void, Never>?
        /// Numbers streams and pollings.
        var numbers = 0
        /// The number of the current polling; earlier ones are ignored.
        var run = 0
        var lastSent = Duration.zero
        var isClosed = false
        /// How many looks are left, the running one included.
        var looks = 0

        var isIdle: Bool { streams.isEmpty && waiting.isEmpty }
    }

    /// A stream that has not been sent a revision yet.
    private struct Waiting {
        let stream: HTTPEventStream
        /// The revision that its client has.
        let known: String?
    }

    /// The time between two polls, which refresh a stale catalogue as requests do, and find what no memory reports.
    private static let interval = Duration.seconds(2)
    /// The longest silence of a stream.
    private static let heartbeat = Duration.seconds(15)
    /// The longest time for which heartbeats wait for a graph that has nothing to serve.
    private static let timeout = Duration.seconds(5)

    private static let head: HTTPHeaderBlock = [
        "Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no",
    ]

    private let history: RevisionHistory
    private let clock: any Clock<Duration>
    private let look: @Sendable () async -> EncodedListing?
    private let state: TimedState<State>

    /// - Parameter look: returns the listing that the graph serves; nil without one.
    init(
        history: RevisionHistory, clock: any Clock<Duration>, look: @escaping @Sendable () async -> EncodedListing?
    ) {
        self.history = history
        self.clock = clock
        self.look = look
        state = TimedState(State(), clock: clock)
    }

    /// Begins a stream with the event that leads the client to the revision in force, or with a comment until there is
    /// one.
    func stream(
        from known: String?, at listing: EncodedListing?, onClose: @escaping @Sendable () -> Void
    ) async -> HTTPResponse {
        let id = state.update { state, _ in
            state.numbers += 1
            return state.numbers
        }
        let stream = HTTPEventStream { [weak self] in
            self?.leave(id)
            onClose()
        }
        let response = HTTPResponse(status: .ok, headers: Self.head, stream: stream)
        var (known, sent) = (known, nil as EncodedListing?)
        var isDone = false
        while !isDone {
            if let next = current(or: sent ?? listing) {
                stream.send(await event(from: known, sent, to: next))
                (known, sent) = (next.catalogue.revision, next)
                isDone = join(stream, id, at: next.catalogue.revision)
            } else {
                isDone = wait(stream, id, from: known)
            }
        }
        return response
    }

    /// Polls at once, since the catalogue in force was replaced.
    ///
    /// A call while a poll runs has it followed by one more.
    func look() async {
        let isFirst = state.update { state, _ in
            defer { state.looks = min(state.looks + 1, 2) }
            return state.looks == 0
        }
        var goesOn = isFirst
        while goesOn {
            _ = await poll(state.update { state, _ in state.run })
            goesOn = state.update { state, _ in
                state.looks -= 1
                return state.looks > 0
            }
        }
    }

    /// Ends all streams.
    func close() {
        let (streams, polling) = state.update { state, _ in
            state.isClosed = true
            defer { state.polling = nil }
            return (Array(state.streams.values) + state.waiting.values.map(\.stream), state.polling)
        }
        polling?.cancel()
        for stream in streams { stream.close() }
    }

    private func current(or listing: EncodedListing?) -> EncodedListing? {
        state.update { state, _ in
            if state.current == nil { state.current = listing }
            return state.current ?? listing
        }
    }

    /// - Returns: whether the stream is up to date; another revision may have been sent to the others meanwhile.
    private func join(_ stream: HTTPEventStream, _ id: Int, at revision: String) -> Bool {
        let (isDone, isClosed) = state.update { state, now in
            if state.isClosed { return (true, true) }
            guard state.current?.catalogue.revision == revision else { return (false, false) }
            if stream.isOpen { state.streams[id] = stream }
            if state.isIdle { state.current = nil } else { beginPolling(&state, now) }
            return (true, false)
        }
        if isClosed { stream.close() }
        return isDone
    }

    /// - Returns: false if there is a revision to send by now.
    private func wait(_ stream: HTTPEventStream, _ id: Int, from known: String?) -> Bool {
        stream.send(RevisionEvent.nothing)
        let (isDone, isClosed) = state.update { state, now in
            if state.isClosed { return (true, true) }
            guard state.current == nil else { return (false, false) }
            if stream.isOpen { state.waiting[id] = Waiting(stream: stream, known: known) }
            if !state.isIdle { beginPolling(&state, now) }
            return (true, false)
        }
        if isClosed { stream.close() }
        return isDone
    }

    private func beginPolling(_ state: inout State, _ now: Duration) {
        guard state.polling == nil else { return }
        state.numbers += 1
        state.run = state.numbers
        state.lastSent = now
        state.polling = polling(state.run)
    }

    private func leave(_ id: Int) {
        let polling = state.update { state, _ -> Task<Void, Never>? in
            state.streams[id] = nil
            state.waiting[id] = nil
            guard state.isIdle else { return nil }
            state.current = nil
            state.run = 0
            defer { state.polling = nil }
            return state.polling
        }
        polling?.cancel()
    }

    private func polling(_ run: Int) -> Task<Void, Never> {
        Task.detached { [weak self, clock] in
            var pause: Duration? = .zero
            while let time = pause, (try? await clock.sleep(for: time)) != nil { pause = await self?.poll(run) }
        }
    }

    /// - Returns: the time until the next poll; nil if there is none.
    private func poll(_ run: Int) async -> Duration? {
        let (isRunning, before, waiting) = state.update { state, _ in (state.run == run, state.current, state.waiting) }
        guard isRunning else { return nil }
        let served = await firstOutcome(within: Self.timeout) { [look] in await look() } ?? nil
        var (next, part) = (before, nil as HTTPBody?)
        if let found = served, found.catalogue.revision != before?.catalogue.revision {
            next = found
            if let before { part = await event(from: before.catalogue.revision, before, to: found) }
        }
        var first: [Int: HTTPBody] = [:]
        if let next {
            for (id, client) in waiting { first[id] = await event(from: client.known, nil, to: next) }
        }
        let due = state.update { [next, part, first] state, now -> [(stream: HTTPEventStream, part: HTTPBody)]? in
            guard state.run == run else { return nil }
            // A stream that has joined meanwhile may have another revision, from which the next poll leads on.
            guard state.current?.catalogue.revision == before?.catalogue.revision else { return [] }
            let isDue = part != nil || now - state.lastSent >= Self.heartbeat
            if isDue { state.lastSent = now }
            let waiting = part == nil ? state.waiting.values.map(\.stream) : []
            let streams = isDue ? Array(state.streams.values) + waiting : []
            var due = streams.map { (stream: $0, part: part ?? RevisionEvent.heartbeat) }
            state.current = next
            for (id, event) in first {
                guard let client = state.waiting.removeValue(forKey: id) else { continue }
                state.streams[id] = client.stream
                due.append((client.stream, event))
            }
            return due
        }
        guard let due else { return nil }
        for (stream, part) in due { stream.send(part) }
        return Self.interval
    }

    /// The event that leads from a revision to another one; a comment if it is the same.
    /// - Parameter before: the listing of the known revision, if it is known.
    private func event(from known: String?, _ before: EncodedListing?, to next: EncodedListing) async -> HTTPBody {
        let revision = next.catalogue.revision
        guard let known else { return RevisionEvent.present(revision) }
        if known == revision { return RevisionEvent.heartbeat }
        let changes = try? await history.changes(
            since: known, in: next, as: .event, .identity, before: before?.catalogue)
        return changes?.representation.body ?? RevisionEvent.gap(revision)
    }
}
