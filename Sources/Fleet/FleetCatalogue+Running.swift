internal import Concurrency
internal import FoundationEssentials
internal import Logging
internal import Health
package import Products

extension FleetCatalogue {
    /// The time limit for the release of a turn at the end.
    static let closingTime = Duration.milliseconds(500)
    /// The time limit for reading the catalogue from before the start, and for the first connection.
    static let startTimeout = Duration.seconds(1)

    /// Takes part in the fleet until it is cancelled, and then releases the turn. Runs that overlap, as during a
    /// reload, share one connection, and the gate of the latest decides.
    package func run(judge: (any CatalogueJudge)?) async {
        let run = state.withLock { state in
            state.lastRun += 1
            if state.users == 0 { state.judges = [] }
            state.judges.append((state.lastRun, judge))
            state.users += 1
            guard state.users == 1 else { return state.lastRun }
            let before = state.driving
            state.driving = Task.detached { [self] in
                await before?.value
                await drive()
            }
            return state.lastRun
        }
        let (never, continuation) = AsyncStream.makeStream(of: Void.self)
        for await _ in never {}
        continuation.finish()
        let last = state.withLock { state -> Task<Void, Never>? in
            state.users -= 1
            if state.users == 0 { return state.driving }
            state.judges.removeAll { $0.run == run }
            return nil
        }
        guard let last else { return }
        await releaseTurn()
        last.cancel()
        await last.value
    }

    private func releaseTurn() async {
        let now = uptime.now
        guard let claim = state.withLock({ $0.member.claim(at: now) }) else { return }
        await Task.detached { [self] in
            _ = await perform(.release(nonce: claim.nonce, .unused), within: Self.closingTime)
        }.end(within: Self.closingTime, clock: clock)
    }

    private func drive() async {
        let storage = makeStorage()
        state.withLock { $0.storage = storage }
        book.record(.sharedStore, "not connected yet")
        if let inherited { offer(inherited.snapshot, inherited.place) }
        let found = Task.detached { [self] in await foundBefore() }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await storage.run() }
            group.addTask { [self] in await follow(storage, found) }
            group.addTask { [self] in await publishStatus(to: storage) }
            group.addTask { [self] in
                // Without a storage the catalogue from before the start counts by the own clock.
                guard (try? await clock.sleep(for: Self.startTimeout)) != nil else { return }
                _ = await firstOutcome { [self] in await offer(found) }
            }
        }
        found.cancel()
        state.withLock { $0.storage = nil }
        book.record(.sharedStore, nil)
        handle(.link(isUp: false))
    }

    private func follow(_ storage: any FleetStorage, _ found: Task<Found, Never>) async {
        var (hasBegun, isAway) = (false, false)
        for await event in storage.events {
            switch event {
            case .up:
                book.record(.sharedStore, nil)
                if !hasBegun { await begin(storage, found) }
                if isAway {
                    logger.notice("the shared storage is back")
                } else if !hasBegun {
                    logger.info("the shared storage is connected")
                }
                (hasBegun, isAway) = (true, false)
                handle(.link(isUp: true)) { $0.blobTries = 0 }
                // Each connection removes the members that have been silent for long.
                Task.detached { [self] in await storage.exchange(status, within: settings.commandLimit) }
                Task.detached { [self] in await keepPinned() }
            case .down(let cause):
                book.record(.sharedStore, "not connected: \(cause)")
                if !isAway { logger.warning("the shared storage is away", metadata: ["error": "\(cause)"]) }
                isAway = true
                handle(.link(isUp: false))
            case .announced(let announcement): handle(.announced(announcement))
            }
        }
    }

    /// Reads the storage's clock, which dates the catalogue from before the start, before the member follows the
    /// storage. If the storage has no catalogue, looks for the previous configuration's.
    private func begin(_ storage: any FleetStorage, _ found: Task<Found, Never>) async {
        let sent = uptime.now
        let reply = await perform(.read, within: settings.commandLimit)
        if case .success(.contents(let contents)) = reply {
            state.withLock { $0.member.learnClock(contents.now, sentAt: sent, at: uptime.now) }
            checkSkew()
        }
        _ = await firstOutcome(within: Self.startTimeout, clock: clock) { [self] in await offer(found) }
        guard case .success(.contents(let contents)) = reply, contents.pointer == nil else { return }
        Task.detached { [self] in await readFormer(storage) }
    }

    /// The catalogues and the pin on the disk, from before the start.
    struct Found: Sendable {
        /// The newest saved catalogue, also while an older one is pinned.
        var newest: ProductsSnapshot?
        var pin: PinRecord?
        var pinned: ProductsSnapshot?
    }

    private func foundBefore() async -> Found {
        await memory.load()
        var found = Found(pin: memory.known(fingerprint).own.pin)
        found.newest = try? await refill?.products(for: ProductsRequest()).snapshot
        if let pointer = found.pin?.pointer { found.pinned = await kept(pointer, found.newest) }
        return found
    }

    private func offer(_ found: Task<Found, Never>) async {
        let found = await found.value
        if let pin = found.pin { handle(.pinned(pin)) }
        if let snapshot = found.pinned, let pointer = found.pin?.pointer { give(pinned: snapshot, pointer) }
        if inherited == nil, let snapshot = found.newest { offer(snapshot) }
    }

    /// Offers a catalogue from the disk or another configuration to the member.
    /// - Parameter inherited: its place under another configuration; nil if the record may have one.
    func offer(_ snapshot: ProductsSnapshot, _ inherited: FleetMember.PlacedCatalogue? = nil) {
        let (own, others) = memory.known(fingerprint)
        let (wall, revision) = (wallClock.now().milliseconds, snapshot.revision)
        let noted = own[revision] ?? others.lazy.compactMap { $0[revision] }.first
        handle { state, now in
            let time = state.member.storageTime(at: now)
            // A catalogue without a place may get one once the storage's clock is known.
            let isAgain = state.isFoundByOwnClock && time != nil && state.whole?.sequence == 0
            guard state.whole == nil || isAgain else { return nil }
            state.isFoundByOwnClock = time == nil
            var place =
                inherited
                ?? FleetMember.PlacedCatalogue(
                    revision: revision, startedAt: noted?.startedAt ?? 0,
                    begun: noted?.begun?.age.map { now - $0 }, isForeign: own[revision] == nil)
            place.isAccepted = own[revision]?.pointer?.isAccepted ?? false
            if place.startedAt == 0, place.begun == nil, !place.isForeign, let time {
                let checked = snapshot.checkedAt.milliseconds
                place.startedAt = abs(wall - time) <= Self.tolerance && checked <= wall ? checked : 0
            }
            state.examined = snapshot
            return .found(place)
        }
    }

    private func readFormer(_ storage: any FleetStorage) async {
        guard case .success(let former?) = await storage.former(maxBytes: settings.maxBytes, within: settings.blobLimit)
        else { return }
        let judge = state.withLock { $0.judge }
        do {
            let read = try await decode(former.blob, as: former.pointer, known: nil)
            let (now, wall) = (uptime.now, wallClock.now())
            let checkedAt = state.withLock { $0.checkedAt(former.pointer, at: now, wall: wall) }
            let snapshot = former.pointer.snapshot(of: read.catalogue, checkedAt: checkedAt).from(.store)
            _ = try await judge?.judge(ProductsAnswer(snapshot: snapshot), for: ProductsRequest())
            let isFirst = state.withLock { state in
                guard state.whole == nil, state.served == nil else { return false }
                state.former = snapshot
                return true
            }
            guard isFirst else { return }
            logger.notice(
                "serving another configuration's catalogue until this one has its own",
                metadata: ["fingerprint": "\(former.fingerprint)", "revision": "\(snapshot.revision)"])
            changed.send()
        } catch {
            logger.notice("cannot use the catalogue of another configuration", metadata: ["error": "\(error)"])
        }
    }

    /// Publishes this member's status each poll, and retries what the disk did not take.
    private func publishStatus(to storage: any FleetStorage) async {
        while true {
            let pause = settings.poll * Double.random(in: 0.8...1.2)
            guard (try? await clock.sleep(for: pause)) != nil else { return }
            memory.retry()
            Task.detached { [self] in await keepPinned() }
            if state.withLock(\.member.isLinked) {
                _ = await storage.publishStatus(status, within: settings.commandLimit)
            }
        }
    }

    var status: MemberStatus {
        let now = uptime.now
        return state.withLock { state in
            let given = state.served.flatMap { $0.sequence > 0 ? $0 : nil }
            return MemberStatus(
                name: settings.name, generation: given?.pointer?.generation ?? 0,
                revision: given?.snapshot.revision ?? "",
                startedAt: given == nil ? 0 : state.member.served?.startedAt ?? 0,
                isHolder: state.holdsTurn(at: now), at: state.member.storageTime(at: now) ?? 0)
        }
    }
}
