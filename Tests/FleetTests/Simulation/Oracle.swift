import Fleet

/// Knows what ought to be, apart from members and storage.
struct Oracle {
    struct Turn {
        var nonce: String
        var epoch: Int
        var expiry: Int
        var purpose = TurnRequest.Purpose.refresh
    }

    var turn: Turn?
    /// The times at which the storage lost something.
    var losses = 0
    /// The fetches of the fleet's turn that are under way.
    var fetches: [(index: Int, nonce: String, expiry: Int, losses: Int)] = []
    var newestAtHeal = 0
    /// When the refreshes began, by the times of their claims.
    var begun: [Int: Int] = [:]
    /// When the upstream ceased to have a catalogue.
    var ends: [Int: Int] = [:]
    var highest = 1
    /// The orders to accept that have not been carried out, and all that ever were given.
    var orders: [String: Int] = [:]
    var everAccepted: Set<String> = []
    /// Whether a time of the storage was forged, after which the order of its catalogues is another one.
    var isForged = false
    /// The error of a member's estimate of the storage's clock.
    static let tolerance = 600
}

extension FleetSimulation {
    /// Compares what the storage did with what it may do.
    func judge(_ command: StorageCommand, _ result: StorageReply, before: CataloguePointer?) {
        if let turn = oracle.turn, turn.expiry <= now { oracle.turn = nil }
        switch (command, result) {
        case (.acquire(let request), .granted(let claim, let milliseconds, _)):
            if let turn = oracle.turn, turn.nonce != request.nonce {
                violate("the turn is given to \(request.member) while \(turn.nonce) has it")
            }
            oracle.turn = Oracle.Turn(
                nonce: claim.nonce, epoch: claim.epoch, expiry: now + milliseconds, purpose: request.purpose)
            if request.purpose == .refresh { oracle.begun[claim.startedAt] = now }
            if plan.isCalm, request.purpose == .refresh, !request.isForced, let current = before,
                now + Self.wallClock - current.checkedAt < plan.interval * 9 / 10
            {
                violate("\(request.member) refreshes twice in an interval")
            }
        case (.renew(let claim, let milliseconds), .done) where !plan.breakage.contains(.noRenewal):
            if oracle.turn?.nonce == claim.nonce { oracle.turn?.expiry = now + milliseconds }
            for index in oracle.fetches.indices where oracle.fetches[index].nonce == claim.nonce {
                oracle.fetches[index].expiry = now + milliseconds
            }
        case (.accept(let revision, let base), .done):
            if before?.revision != base {
                violate(
                    "\(revision) is accepted in place of \(before?.revision ?? "nothing"), not of \(base ?? "nothing")")
            }
            oracle.orders[revision] = 1
            oracle.everAccepted.insert(revision)
        case (.release(let nonce, _, _), _):
            if oracle.turn?.nonce == nonce { oracle.turn = nil }
        case (.commit(let claim, _), .committed(let pointer)), (.confirm(let claim, _, _), .committed(let pointer)):
            if oracle.turn?.nonce != claim.nonce || oracle.turn?.epoch != claim.epoch {
                violate("\(claim.nonce) commits without the turn")
            }
            judgeContent(of: pointer, replacing: before, oracle.turn?.purpose)
            if oracle.turn?.purpose == .refill { judgeRefill(with: pointer) }
            oracle.turn = nil
            let oldTime = StorageModel.time(of: before?.startedAt, at: Self.wallClock + now)
            if let old = before,
                pointer.startedAt < oldTime || (pointer.startedAt == oldTime && pointer.revision != old.revision)
            {
                violate("the storage steps back from \(old.revision) to \(pointer.revision)")
            }
            if storage.blobs[pointer.sha256]?.count != pointer.bytes {
                violate("\(pointer.revision) is committed without its blob")
            }
        default: break
        }
    }

    /// The pinned catalogue is not the newest of a member that has a later one whole.
    private func judgeRefill(with pointer: CataloguePointer) {
        guard let member = members.first(where: { "m\($0.index)" == pointer.writer }), member.servesPin,
            let whole = member.machine.whole, whole.revision != pointer.revision, whole.startedAt > pointer.startedAt
        else { return }
        violate("m\(member.index) fills the storage with \(pointer.revision) and keeps \(whole.revision) for itself")
    }

    /// What is refused needs an order, and what is there is not replaced by a part of it.
    private func judgeContent(
        of pointer: CataloguePointer, replacing old: CataloguePointer?, _ purpose: TurnRequest.Purpose?
    ) {
        guard pointer.revision != old?.revision, let number = SimulatedCatalogue.number(of: pointer.revision) else {
            return
        }
        if SimulatedCatalogue.isRefused(number), purpose == .refresh {
            oracle.orders[pointer.revision, default: 0] -= 1
            if oracle.orders[pointer.revision, default: 0] < 0 {
                violate("\(pointer.revision) is let through without an order")
            }
        }
        // A blob that is repaired meanwhile was not there to be compared with.
        if SimulatedCatalogue.isPart(number), let old, !SimulatedCatalogue.isPart(old.revision),
            !plan.faults.contains(.blobDamage), !oracle.everAccepted.contains(pointer.revision),
            let oldNumber = SimulatedCatalogue.number(of: old.revision),
            storage.blobs[old.sha256] == SimulatedCatalogue.blob(oldNumber)
        {
            violate("the part \(pointer.revision) takes the place of \(old.revision)")
        }
    }

    /// Whether the upstream had ceased to have it when what the member gives was confirmed.
    func judgeTruth(_ number: Int, by index: Int) {
        guard !oracle.isForged, let end = oracle.ends[number], end + Oracle.tolerance < members[index].truth else {
            return
        }
        violate("m\(index) goes back to r\(number), of \(end), from what was so at \(members[index].truth)")
    }

    /// A fetch under a turn begins: no other one may run, unless its turn is over or the storage has lost it.
    func judgeFetch(_ claim: Claim, by index: Int) {
        let losses = oracle.losses
        oracle.fetches.removeAll { $0.expiry <= now || $0.losses != losses }
        if let other = oracle.fetches.first {
            violate("m\(index) fetches while m\(other.index) does")
        }
        let expiry = oracle.turn?.nonce == claim.nonce ? oracle.turn?.expiry ?? now : now
        oracle.fetches.append((index, claim.nonce, expiry, oracle.losses))
    }

    /// Checks the order of the catalogues that a member took from the storage or has there. Catalogues found elsewhere
    /// may be dated by a wrong clock, and numbers may be forged: `judgeTruth` checks these.
    func judgeStep(to startedAt: Int, by index: Int) {
        if oracle.isForged { return }
        if startedAt < members[index].floor {
            violate("m\(index) steps back from \(members[index].floor) to \(startedAt)")
        }
    }

    func judgeAdoption(
        of catalogue: FleetMember.PlacedCatalogue, _ pointer: CataloguePointer?, isPinned: Bool, by index: Int
    ) {
        let member = members[index]
        let revision = catalogue.revision
        if !isPinned {
            if pointer != nil { judgeStep(to: catalogue.startedAt, by: index) }
            if let number = SimulatedCatalogue.number(of: revision) { judgeTruth(number, by: index) }
            if let kept = member.pin, kept.pointer != nil, kept.version > member.machine.pin?.version ?? 0 {
                violate("m\(index) gives \(revision) without the pin that it had")
            }
        }
        if isPinned, member.machine.pin?.pointer?.revision != revision {
            violate("m\(index) gives a pin nobody ordered")
        }
        guard let number = SimulatedCatalogue.number(of: revision), number <= oracle.highest,
            !SimulatedCatalogue.isRefused(number) || oracle.everAccepted.contains(revision)
        else { return violate("m\(index) gives \(revision), which the upstream never had") }
        let owned = [member.given?.revision, member.fetched, member.examined, member.found, member.kept]
        if !owned.contains(revision), !member.ownFetches.contains(revision) {
            violate("m\(index) gives \(revision), which it does not have")
        }
        if let pointer,
            pointer.revision != revision
                || StorageModel.time(of: pointer.startedAt, at: Self.wallClock + now) > catalogue.startedAt
        {
            violate("m\(index) gives \(catalogue) as \(pointer)")
        }
    }

    /// Returns what the members disagree about after everything works again.
    func agreement() -> [String] {
        if let member = members.first(where: { !$0.orders.isEmpty }) {
            return ["\(now) m\(member.index) leaves an order open"]
        }
        let versions = members.map { $0.machine.pin?.version ?? 0 }
        let version = max(versions.max() ?? 0, storage.pin?.version ?? 0)
        if version > storage.pin?.version ?? 0 { return ["\(now) the storage has lost the pin"] }
        if versions.contains(where: { $0 < version }) { return ["\(now) a member does not know the pin"] }
        if plan.isPicky || SimulatedCatalogue.isPart(storage.current?.revision) { return [] }
        // A forged time may have taken all catalogues out of the order in which they go back into a storage that has lost them.
        if storage.current == nil, oracle.isForged { return [] }
        var expected = storage.current?.revision
        if let pinned = storage.pin?.pointer {
            guard let number = SimulatedCatalogue.number(of: pinned.revision),
                storage.blobs[pinned.sha256] == SimulatedCatalogue.blob(number)
                    || members.contains(where: { $0.given?.revision == pinned.revision })
            else { return [] }
            expected = pinned.revision
        } else if let current = storage.current, let number = SimulatedCatalogue.number(of: current.revision),
            storage.blobs[current.sha256] != SimulatedCatalogue.blob(number),
            !members.contains(where: { $0.given?.revision == current.revision })
        {
            // No member has it: the next refresh brings another one.
            return []
        }
        // Without an upstream a member stays with the newer catalogue of another configuration.
        let others = members.filter { $0.given?.revision != expected && $0.machine.served?.isForeign != true }.map {
            "m\($0.index) \($0.given?.revision ?? "nothing")"
        }
        if !others.isEmpty { return ["\(now) all ought to give \(expected ?? "nothing"), but: \(others)"] }
        if storage.pin?.pointer == nil, storage.current?.startedAt ?? 0 < oracle.newestAtHeal,
            !members.allSatisfy({
                $0.machine.served?.revision == storage.current?.revision || $0.machine.served?.isForeign == true
            })
        {
            return ["\(now) an older catalogue has replaced a newer one"]
        }
        return []
    }

    /// Returns what is not the upstream's catalogue after the pauses of all failures are over.
    func freshness() -> [String] {
        guard storage.pin?.pointer == nil else { return [] }
        let expected = SimulatedCatalogue.revision(upstreamNumber)
        let others = members.filter { $0.given?.revision != expected }.map {
            "m\($0.index) \($0.given?.revision ?? "nothing")"
        }
        return others.isEmpty ? [] : ["\(now) all ought to give the upstream's \(expected), but: \(others)"]
    }
}
