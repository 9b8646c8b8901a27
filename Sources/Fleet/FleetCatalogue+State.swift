internal import Concurrency
internal import FoundationEssentials
internal import Health
internal import Products

extension FleetCatalogue.State {
    typealias CheckedAt = (CataloguePointer, StorageTime?, Duration) -> Date

    /// Remembers what an event says of the storage.
    mutating func observe(_ event: FleetMember.Event, at now: Duration) {
        switch event {
        case .link(let isUp):
            (self.isUp, blobTries) = (isUp, 0)
        case .announced(.pointer(let pointer, _)):
            see(pointer)
        case .reply(_, .contents(let contents)), .reply(_, .newer(let contents)):
            observe(contents)
        case .reply(_, .granted(let claim, let milliseconds, let contents)):
            observe(contents)
            self.claim = (claim, now + .milliseconds(milliseconds))
        case .reply(_, .committed(let pointer)):
            (claim, blob) = (nil, nil)
            see(pointer)
            keepFetched(FleetMember.HeldCatalogue(pointer), pointer)
        case .reply(_, .fenced):
            wasLate = claim.map { $0.until <= now } ?? false
            (claim, blob, fetched) = (nil, nil, nil)
        case .reply(_, .paused(_, _, let seen)): self.seen = seen
        case .fetched: seen = nil
        case .pinned(let record):
            // The disk may tell of one that another has taken the place of.
            if record.version > pin?.version ?? 0 { pin = record }
        case .announced, .reply, .failed, .asked, .examined, .found, .weighed, .wake: break
        }
    }

    private mutating func observe(_ contents: StorageContents) {
        // A storage that has lost its catalogue is behind, so this also takes the place of a later one.
        pointer = contents.pointer
        refused = contents.refused
        // A storage that has lost the pin gets it again at once.
        if let pin = contents.pin { storedPin = pin.version }
        if let pin = contents.pin, pin.version >= self.pin?.version ?? 0 { self.pin = pin }
    }

    /// Keeps a fetched catalogue. A pin may keep it from being given, but it is the newest.
    /// - Parameter pointer: its place in the storage; nil where it has none.
    mutating func keepFetched(_ catalogue: FleetMember.HeldCatalogue, _ pointer: CataloguePointer?) {
        guard let fetched, fetched.snapshot.revision == catalogue.revision else { return }
        if pointer == nil {
            self.fetched = nil
        } else if whole?.snapshot.revision == catalogue.revision {
            return
        }
        sequence += 1
        whole = FleetCatalogue.Held(
            snapshot: fetched.snapshot, startedAt: catalogue.startedAt, pointer: pointer, encoded: fetched.snapshot,
            trail: fetched.trail, sequence: sequence)
    }

    private mutating func see(_ pointer: CataloguePointer) {
        if pointer.startedAt >= self.pointer?.startedAt ?? 0 { self.pointer = pointer }
    }

    /// Decides about the catalogues of other members: the gate of the latest run.
    var judge: (any CatalogueJudge)? { judges.last?.judge }

    /// The newest catalogue; where one is pinned, the newest that the member has whole beside it.
    var newest: FleetCatalogue.Held? { held?.isPinned == true ? whole : held }

    /// Whether this pointer is the one of the pin in force.
    func isPin(_ pointer: CataloguePointer) -> Bool { pin?.pointer?.sha256 == pointer.sha256 }

    /// A change that memories have to follow: a catalogue of another member, its confirmation, another pin or its end.
    struct Change {
        /// The time since it was committed; nil where it was not waited for.
        var delay: Duration?
    }

    /// - Returns: nil for the member's own catalogue where somebody waits for it, and for the one that is given already.
    mutating func adopt(
        _ catalogue: FleetMember.HeldCatalogue, _ pointer: CataloguePointer?, isPinned: Bool, at now: Duration,
        checkedAt: CheckedAt
    ) -> Change? {
        let before = held
        let own = fetched.flatMap { $0.snapshot.revision == catalogue.revision ? $0 : nil }
        let kept = [whole, held].compactMap(\.self).first { $0.snapshot.revision == catalogue.revision }
        let known =
            (examined?.revision == catalogue.revision ? examined : nil) ?? own?.snapshot ?? kept?.snapshot
        guard let known else { return nil }
        let isFound = pointer == nil && own == nil && held?.sequence ?? 0 == 0
        sequence += isFound ? 0 : 1
        let isOwn = own != nil && !isPinned
        var snapshot = own?.snapshot ?? known
        if !isOwn, let pointer {
            snapshot = pointer.snapshot(of: known.catalogue, checkedAt: checkedAt(pointer, time, now))
        }
        held = FleetCatalogue.Held(
            snapshot: snapshot, startedAt: catalogue.startedAt, pointer: pointer, isPinned: isPinned,
            encoded: (examined ?? own?.snapshot ?? kept?.encoded ?? known).with(known.catalogue),
            trail: isOwn ? own?.trail ?? [] : [], sequence: sequence)
        if isOwn { fetched = nil }
        if !isPinned { (whole, former) = (held, nil) }
        guard !isOwn || asks.isEmpty, !isFound,
            before?.snapshot.revision != known.revision || before?.isPinned != isPinned
        else {
            return nil
        }
        guard !isOwn, let pointer, let time, !isPinned, let before, before.sequence > 0, !before.isPinned else {
            return Change()
        }
        return Change(delay: .milliseconds(max(0, time.now(at: now) - pointer.checkedAt)))
    }

    /// - Returns: nil if waiting requests receive it, or a pin overrides it.
    mutating func confirm(_ pointer: CataloguePointer, at now: Duration, checkedAt: CheckedAt) -> Change? {
        // The announcement of the own commit may come before its reply, and after it says nothing new.
        if newest?.pointer == pointer {
            if fetched?.snapshot.revision == pointer.revision { fetched = nil }
            former = nil
            return nil
        }
        keepFetched(FleetMember.HeldCatalogue(pointer), pointer)
        let own = fetched.flatMap { $0.snapshot.revision == pointer.revision ? $0 : nil }
        func confirmed(_ held: FleetCatalogue.Held?) -> FleetCatalogue.Held? {
            guard var held, held.snapshot.revision == pointer.revision else { return held }
            held.snapshot =
                own?.snapshot.with(held.snapshot.catalogue)
                ?? pointer.snapshot(of: held.snapshot.catalogue, checkedAt: checkedAt(pointer, time, now))
            (held.startedAt, held.pointer, held.trail) = (pointer.startedAt, pointer, own?.trail ?? [])
            held.sequence = sequence
            return held
        }
        sequence += 1
        whole = confirmed(whole)
        if held?.isPinned == false { held = confirmed(held) }
        if own != nil { fetched = nil }
        former = nil
        // A memory that pauses after failures would not ask.
        return own == nil && asks.isEmpty && held?.isPinned == false ? Change() : nil
    }

    /// Notes when a newer catalogue than the held one is first seen.
    mutating func trackLag(at now: Duration) {
        let isBehind: Bool
        if let pinned = pin?.pointer {
            isBehind = held?.isPinned != true || held?.snapshot.revision != pinned.revision
        } else if let pointer {
            isBehind = pointer.startedAt > held?.startedAt ?? 0 || held?.isPinned == true
        } else {
            isBehind = false
        }
        newerSince = isBehind ? newerSince ?? now : nil
    }
}

extension FleetCatalogue {
    var isRunning: Bool { state.withLock { $0.users > 0 } }

    /// Whether it ran, and does so no longer: what it gave is of that time.
    var hasStopped: Bool { state.withLock { $0.users == 0 && $0.lastRun > 0 } }

    /// The catalogue that another configuration goes on from. Its `begun` is by the uptime of a catalogue that is made now.
    var inheritable: Held? {
        let now = uptime.now
        return state.withLock { state in
            guard
                var held = [state.held, state.whole].compactMap(\.self).first(where: { $0.sequence > 0 && !$0.isPinned }
                )
            else { return nil }
            let revision = held.snapshot.revision
            let known = [state.member.held, state.member.whole].compactMap(\.self).first { $0.revision == revision }
            (held.startedAt, held.begun) = (known?.startedAt ?? 0, known?.begun.map { $0 - now })
            return held
        }
    }

    /// When the fleet heard the upstream confirm the catalogue of a pointer, by this machine's clock and never in its future.
    /// Where the pointer's time is in the future of the storage, its commit counts, and else it is taken for a day old.
    func checkedAt(_ pointer: CataloguePointer, _ time: StorageTime?, _ now: Duration) -> Date {
        let wall = wallClock.now()
        let stored = time?.now(at: now) ?? wall.milliseconds
        let known = [pointer.startedAt, pointer.checkedAt].first { $0 <= stored + Self.tolerance }
        return wall.advanced(by: .milliseconds(min(0, (known ?? stored - FleetMember.horizon) - stored)))
    }

    /// The difference of two clocks that counts as none, in milliseconds.
    static let tolerance = 2_000

    /// The catalogue of another configuration, or that from before the start, as long as there is none of the fleet.
    var former: ProductsSnapshot? {
        state.withLock { state in state.former ?? state.held.flatMap { $0.sequence == 0 ? $0.snapshot : nil } }
    }

    /// The state at this moment, without asking the storage.
    package var report: FleetReport {
        let now = uptime.now
        return state.withLock { state in
            var report = FleetReport()
            report.name = settings.name
            report.isConnected = state.isUp
            report.holdsLease = state.claim.map { $0.until > now } ?? false
            report.pointer = state.pointer
            if let held = state.held, held.sequence > 0 {
                report.held = (held.pointer?.generation ?? 0, held.snapshot.revision)
            }
            report.pin = state.pin.flatMap { $0.cataloguePin(isWritten: isWritten($0, state)) }
            report.lag = state.newerSince.map { now - $0 } ?? .zero
            report.isFormer = state.former != nil
            report.clockDifference = state.time.map { .milliseconds(wallClock.now().milliseconds - $0.now(at: now)) }
            report.refused = state.refused
            report.troubles = book.troubles + memory.troubles
            if report.lag > FleetReport.longestLag {
                let since = wallClock.now().advanced(by: .zero - report.lag)
                report.troubles.append(Trouble(.sharedStore, cause: "a newer catalogue is not served", since: since))
            }
            return report
        }
    }

    /// The replicas that have said how they are, sorted by name; empty while the storage is away.
    package func replicas() async -> [FleetReport.Replica] {
        guard let storage = state.withLock({ $0.isUp ? $0.storage : nil }) else { return [] }
        let members = (try? await storage.meet(status, within: settings.commandLimit).get()) ?? []
        let now = uptime.now
        let (pointer, time) = state.withLock { ($0.pointer, $0.time?.now(at: now)) }
        return members.map { member in
            let isBehind = member.startedAt < pointer?.startedAt ?? 0 && member.revision != pointer?.revision
            func since(_ moment: Int) -> Duration { .milliseconds(max(0, (time ?? moment) - moment)) }
            return FleetReport.Replica(
                name: member.name, generation: member.generation, revision: member.revision,
                holdsLease: member.isHolder, silence: since(member.at),
                lag: isBehind ? since(pointer?.checkedAt ?? 0) : .zero)
        }.sorted { $0.name < $1.name }
    }
}
