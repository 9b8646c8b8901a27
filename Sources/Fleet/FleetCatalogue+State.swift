internal import Concurrency
internal import FoundationEssentials
internal import Health
internal import Products

extension FleetCatalogue.State {
    /// The gate of the latest run, which judges the catalogues of other members.
    var judge: (any CatalogueJudge)? { judges.last?.judge }

    /// The products of the newest catalogue, also while an older one is pinned.
    var newest: FleetCatalogue.LoadedCatalogue? { member.servesPin ? whole : served }

    /// Whether the pin in force names this pointer.
    func isPin(_ pointer: CataloguePointer) -> Bool { member.pin?.pointer?.sha256 == pointer.sha256 }

    /// Whether the member has the turn. A driver that has ended has given it back.
    func holdsTurn(at now: Duration) -> Bool { storage != nil && member.claim(at: now) != nil }

    /// When the upstream confirmed the catalogue of a pointer, by this machine's clock and never in its future. If that
    /// is in the future of the storage, the time of the commit counts; if that is too, the catalogue counts as a day
    /// old.
    func checkedAt(_ pointer: CataloguePointer, at now: Duration, wall: Date) -> Date {
        let stored = member.storageTime(at: now) ?? wall.milliseconds
        let known = [pointer.startedAt, pointer.checkedAt].first { $0 <= stored + FleetCatalogue.tolerance }
        return wall.advanced(by: .milliseconds(min(0, (known ?? stored - FleetMember.horizon) - stored)))
    }

    private func ownFetch(_ revision: String) -> (snapshot: ProductsSnapshot, trail: [TrailStep])? {
        fetched.flatMap { $0.snapshot.revision == revision ? $0 : nil }
    }

    /// Keeps a catalogue that was fetched or found as the newest behind a pin.
    /// - Parameter pointer: nil if it is not in the storage.
    mutating func keep(_ revision: String, _ pointer: CataloguePointer?, wall: Date) {
        if pointer == nil, let examined, examined.revision == revision {
            whole = FleetCatalogue.LoadedCatalogue(snapshot: examined.credible(at: wall), encoded: examined)
            return
        }
        guard let own = ownFetch(revision) else { return }
        if pointer == nil {
            fetched = nil
        } else if whole?.snapshot.revision == revision {
            return
        }
        sequence += 1
        whole = FleetCatalogue.LoadedCatalogue(
            snapshot: own.snapshot, pointer: pointer, encoded: own.snapshot, trail: own.trail, sequence: sequence)
    }

    /// A change that memories have to follow: a catalogue of another member, its confirmation, another pin or its end.
    struct Change {
        /// The time since the commit, for metrics; nil for a change that did not wait for one.
        var delay: Duration?
    }

    /// - Returns: nil if waiting requests receive the catalogue, or it is served already.
    mutating func adopt(
        _ revision: String, _ pointer: CataloguePointer?, isPinned: Bool, wasPinned: Bool, at now: Duration, wall: Date
    ) -> Change? {
        let before = served
        let own = ownFetch(revision)
        let kept = [whole, served].compactMap(\.self).first { $0.snapshot.revision == revision }
        let examined = examined.flatMap { $0.revision == revision ? $0 : nil }
        guard let known = examined?.credible(at: wall) ?? own?.snapshot ?? kept?.snapshot else { return nil }
        let isFound = pointer == nil && own == nil && served?.sequence ?? 0 == 0
        sequence += isFound ? 0 : 1
        let isOwn = own != nil && !isPinned
        var snapshot = own?.snapshot ?? known
        if !isOwn, let pointer {
            snapshot = pointer.snapshot(of: known.catalogue, checkedAt: checkedAt(pointer, at: now, wall: wall))
        }
        served = FleetCatalogue.LoadedCatalogue(
            snapshot: snapshot, pointer: pointer,
            encoded: (examined ?? own?.snapshot ?? kept?.encoded ?? known).with(known.catalogue),
            trail: isOwn ? own?.trail ?? [] : [], sequence: sequence)
        if isOwn { fetched = nil }
        if !isPinned { (whole, former) = (served, nil) }
        guard !isOwn || asks.isEmpty, !isFound, before?.snapshot.revision != revision || wasPinned != isPinned else {
            return nil
        }
        guard !isOwn, let pointer, let time = member.storageTime(at: now), !isPinned, !wasPinned, let before,
            before.sequence > 0
        else { return Change() }
        return Change(delay: .milliseconds(max(0, time - pointer.checkedAt)))
    }

    /// - Returns: nil if waiting requests receive it, or a pin overrides it.
    mutating func confirm(_ pointer: CataloguePointer, at now: Duration, wall: Date) -> Change? {
        // The announcement of this member's own commit may arrive before or after the reply.
        if newest?.pointer == pointer {
            if ownFetch(pointer.revision) != nil { fetched = nil }
            former = nil
            return nil
        }
        keep(pointer.revision, pointer, wall: wall)
        let own = ownFetch(pointer.revision)
        let checkedAt = checkedAt(pointer, at: now, wall: wall)
        sequence += 1
        func confirmed(_ served: FleetCatalogue.LoadedCatalogue?) -> FleetCatalogue.LoadedCatalogue? {
            guard var served, served.snapshot.revision == pointer.revision else { return served }
            let catalogue = served.snapshot.catalogue
            served.snapshot = own?.snapshot.with(catalogue) ?? pointer.snapshot(of: catalogue, checkedAt: checkedAt)
            (served.pointer, served.trail, served.sequence) = (pointer, own?.trail ?? [], sequence)
            return served
        }
        whole = confirmed(whole)
        if !member.servesPin { served = confirmed(served) }
        if own != nil { fetched = nil }
        former = nil
        // A memory that pauses after failures does not ask by itself.
        return own == nil && asks.isEmpty && served != nil && !member.servesPin ? Change() : nil
    }
}

extension FleetCatalogue {
    var isRunning: Bool { state.withLock { $0.users > 0 } }

    /// Whether it has run and runs no longer: its catalogue may be old.
    var hasStopped: Bool { state.withLock { $0.users == 0 && $0.lastRun > 0 } }

    /// The catalogue for another configuration. Its `begun` is relative to now.
    var inheritable: Inherited? {
        let now = uptime.now
        return state.withLock { state in
            guard let newest = state.newest, newest.sequence > 0 else { return nil }
            let revision = newest.snapshot.revision
            let known = state.member.newest.flatMap { $0.revision == revision ? $0 : nil }
            var place = known ?? FleetMember.PlacedCatalogue(revision: revision, startedAt: 0)
            (place.begun, place.isForeign) = (place.begun.map { $0 - now }, true)
            return (newest.snapshot, place)
        }
    }

    /// The difference up to which two clocks agree, in milliseconds.
    static let tolerance = 2_000

    /// The catalogue of another configuration, or from before the start, until the fleet has one.
    var former: ProductsSnapshot? {
        state.withLock { state in state.former ?? state.served.flatMap { $0.sequence == 0 ? $0.snapshot : nil } }
    }

    /// The state at this moment, without asking the storage.
    package var report: FleetReport {
        let now = uptime.now
        return state.withLock { state in
            var report = FleetReport()
            report.name = settings.name
            report.isConnected = state.member.isLinked
            report.holdsTurn = state.holdsTurn(at: now)
            report.pointer = state.member.pointer
            if let served = state.served, served.sequence > 0 {
                report.served = (served.pointer?.generation ?? 0, served.snapshot.revision)
            }
            report.pin = state.member.pin.flatMap { $0.cataloguePin(isWritten: isWritten($0, state)) }
            report.lag = state.newerSince.map { now - $0 } ?? .zero
            report.isFormer = state.former != nil
            report.clockDifference = state.member.storageTime(at: now).map {
                .milliseconds(wallClock.now().milliseconds - $0)
            }
            report.refused = state.member.refused
            report.troubles = book.troubles + memory.troubles
            if report.lag > FleetReport.longestLag {
                let since = wallClock.now().advanced(by: .zero - report.lag)
                report.troubles.append(Trouble(.sharedStore, cause: "a newer catalogue is not served", since: since))
            }
            return report
        }
    }

    /// The replicas that publish their status, sorted by name; empty while the storage is away.
    package func replicas() async -> [FleetReport.Replica] {
        guard let storage = state.withLock({ $0.member.isLinked ? $0.storage : nil }) else { return [] }
        let members = (try? await storage.exchange(status, within: settings.commandLimit).get()) ?? []
        let now = uptime.now
        let (pointer, time) = state.withLock { ($0.member.pointer, $0.member.storageTime(at: now)) }
        return members.map { member in
            let isBehind = member.startedAt < pointer?.startedAt ?? 0 && member.revision != pointer?.revision
            func since(_ moment: Int) -> Duration { .milliseconds(max(0, (time ?? moment) - moment)) }
            return FleetReport.Replica(
                name: member.name, generation: member.generation, revision: member.revision,
                holdsTurn: member.isHolder, silence: since(member.at),
                lag: isBehind ? since(pointer?.checkedAt ?? 0) : .zero)
        }.sorted { $0.name < $1.name }
    }
}
