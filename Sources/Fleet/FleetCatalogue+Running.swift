internal import Concurrency
internal import FoundationEssentials
internal import Logging
internal import Health
package import Products

extension FleetCatalogue {
    /// The time limit for the release of a turn at the end.
    static let closingTime = Duration.milliseconds(500)
    /// The time in which the storage's clock and the catalogue from before the start are waited for.
    static let firstPatience = Duration.seconds(1)

    /// Takes part in the fleet until it is cancelled; then releases a turn that the member holds. Runs that overlap, as
    /// during a reload, share one connection, and the gate of the latest decides.
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
        let claim = state.withLock { state -> Claim? in
            defer { state.claim = nil }
            return state.claim.flatMap { $0.until > now ? $0.claim : nil }
        }
        guard let claim else { return }
        await Task.detached { [self] in
            _ = await perform(.release(nonce: claim.nonce, .unused), within: Self.closingTime)
        }.end(within: Self.closingTime, clock: clock)
    }

    private func drive() async {
        let storage = makeStorage()
        state.withLock { $0.storage = storage }
        book.record(.sharedStore, "not connected yet")
        let found = Task.detached { [self] in await foundBefore() }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await storage.run() }
            group.addTask { [self] in await follow(storage, found) }
            group.addTask { [self] in await sayHow(storage) }
            group.addTask { [self] in
                // Without a storage the catalogue from before the start counts by the own clock.
                guard (try? await clock.sleep(for: Self.firstPatience)) != nil else { return }
                _ = await firstOutcome { [self] in await tell(found) }
            }
        }
        found.cancel()
        state.withLock { $0.storage = nil }
        book.record(.sharedStore, nil)
        handle(.link(isUp: false))
    }

    private func follow(_ storage: any FleetStorage, _ found: Task<ProductsSnapshot?, Never>) async {
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
                handle(.link(isUp: true))
                // Each connection forgets those that are long silent.
                Task.detached { [self] in await storage.meet(status, within: settings.commandLimit) }
            case .down(let cause):
                book.record(.sharedStore, "not connected: \(cause)")
                if !isAway { logger.warning("the shared storage is away", metadata: ["error": "\(cause)"]) }
                isAway = true
                handle(.link(isUp: false))
            case .announced(let announcement): handle(.announced(announcement))
            }
        }
    }

    /// Learns the clock of the storage, by which the catalogue from before the start is compared with its own. A storage
    /// without one may have that of another configuration.
    private func begin(_ storage: any FleetStorage, _ found: Task<ProductsSnapshot?, Never>) async {
        let contents = await perform(.read, within: settings.commandLimit)
        _ = await firstOutcome(within: Self.firstPatience, clock: clock) { [self] in await tell(found) }
        guard case .success(.contents(let contents)) = contents, contents.pointer == nil else { return }
        Task.detached { [self] in await readFormer(storage) }
    }

    /// Reads the catalogue from before the start: the newest that was saved, also where an older one is pinned.
    private func foundBefore() async -> ProductsSnapshot? {
        guard let refill else { return nil }
        if let history = refill as? any ProductsHistory { return try? await history.snapshot(of: .newest) }
        let answer = try? await refill.products(for: ProductsRequest())
        return answer.flatMap { $0.isPinned ? nil : $0.snapshot }
    }

    private func tell(_ found: Task<ProductsSnapshot?, Never>) async {
        if let snapshot = await found.value { offer(snapshot) }
    }

    /// Offers a catalogue from another place to a storage that is empty or behind.
    func offer(_ snapshot: ProductsSnapshot) {
        let (wall, now) = (wallClock.now().milliseconds, uptime.now)
        let isNew = state.withLock { state in
            // One that counts by the own clock counts by the storage's as soon as that is known.
            let isAgain = state.isFoundByOwnClock && state.time != nil && state.whole?.sequence == 0
            guard state.whole == nil || isAgain else { return false }
            state.isFoundByOwnClock = state.time == nil
            let skew = state.time.map { $0.now(at: now) - wall } ?? 0
            let startedAt = max(1, min(snapshot.checkedAt.milliseconds, wall) + skew)
            let held = Held(snapshot: snapshot, startedAt: startedAt, encoded: snapshot.from(.network))
            state.whole = held
            if (state.held?.sequence ?? 0) == 0 { state.held = held }
            return true
        }
        guard isNew, let whole = state.withLock({ $0.whole }) else { return }
        handle(.found(.init(revision: snapshot.revision, startedAt: whole.startedAt)))
    }

    private func readFormer(_ storage: any FleetStorage) async {
        guard case .success(let former?) = await storage.former(maxBytes: settings.maxBytes, within: settings.blobLimit)
        else { return }
        let judge = state.withLock { $0.judge }
        do {
            let read = try await decode(former.blob, as: former.pointer, known: nil)
            let snapshot = former.pointer.snapshot(
                of: read.catalogue, checkedAt: Date(milliseconds: former.pointer.startedAt)
            ).from(.store)
            _ = try await judge?.judge(ProductsAnswer(snapshot: snapshot), for: ProductsRequest())
            let isFirst = state.withLock { state in
                guard state.whole == nil, state.held == nil else { return false }
                state.former = snapshot
                return true
            }
            guard isFirst else { return }
            logger.notice(
                "the catalogue of another configuration is there until the first of this one",
                metadata: ["fingerprint": "\(former.fingerprint)", "revision": "\(snapshot.revision)"])
            onNews()
        } catch {
            logger.notice("the catalogue of another configuration is of no use", metadata: ["error": "\(error)"])
        }
    }

    /// Says how the member is, once each poll.
    private func sayHow(_ storage: any FleetStorage) async {
        while true {
            let pause = settings.poll * Double.random(in: 0.8...1.2)
            guard (try? await clock.sleep(for: pause)) != nil else { return }
            if state.withLock({ $0.isUp }) { _ = await storage.say(status, within: settings.commandLimit) }
        }
    }

    var status: MemberStatus {
        let now = uptime.now
        return state.withLock { state in
            let given = state.held.flatMap { $0.sequence > 0 ? $0 : nil }
            return MemberStatus(
                name: settings.name, generation: given?.pointer?.generation ?? 0,
                revision: given?.snapshot.revision ?? "", startedAt: given?.startedAt ?? 0,
                isHolder: state.claim.map { $0.until > now } ?? false, at: state.time?.now(at: now) ?? 0)
        }
    }
}
