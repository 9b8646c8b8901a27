import Fleet

/// Knows what ought to be, apart from members and storage.
struct Oracle {
    struct Lease {
        var nonce: String
        var epoch: Int
        var expiry: Int
    }

    var lease: Lease?
    /// The times at which the storage lost something.
    var losses = 0
    /// The fetches of the fleet's turn that are under way.
    var fetches: [(index: Int, nonce: String, expiry: Int, losses: Int)] = []
    var newestAtHeal = 0
}

extension FleetSimulation {
    /// Compares what the storage did with what it may do.
    func judge(_ command: StorageCommand, _ result: StorageReply, before: CataloguePointer?) {
        if let lease = oracle.lease, lease.expiry <= now { oracle.lease = nil }
        switch (command, result) {
        case (.acquire(let request), .granted(let claim, let milliseconds, _)):
            if let lease = oracle.lease, lease.nonce != request.nonce {
                violate("the turn is given to \(request.member) while \(lease.nonce) has it")
            }
            oracle.lease = Oracle.Lease(nonce: claim.nonce, epoch: claim.epoch, expiry: now + milliseconds)
            if plan.isCalm, request.purpose == .refresh, !request.isForced, let current = before,
                now + Self.wallClock - current.checkedAt < plan.interval * 9 / 10
            {
                violate("\(request.member) refreshes twice in an interval")
            }
        case (.release(let nonce, _, _), _):
            if oracle.lease?.nonce == nonce { oracle.lease = nil }
        case (.commit(let claim, _), .committed(let pointer)), (.confirm(let claim, _, _), .committed(let pointer)):
            if oracle.lease?.nonce != claim.nonce || oracle.lease?.epoch != claim.epoch {
                violate("\(claim.nonce) commits without the turn")
            }
            oracle.lease = nil
            if let old = before,
                pointer.startedAt < old.startedAt
                    || (pointer.startedAt == old.startedAt && pointer.revision != old.revision)
            {
                violate("the storage steps back from \(old.revision) to \(pointer.revision)")
            }
            if storage.blobs[pointer.sha256]?.count != pointer.bytes {
                violate("\(pointer.revision) is committed without its blob")
            }
        default: break
        }
    }

    /// A fetch under a turn begins: no other one may run, unless its turn is over or the storage has lost it.
    func judgeFetch(_ claim: Claim, by index: Int) {
        let losses = oracle.losses
        oracle.fetches.removeAll { $0.expiry <= now || $0.losses != losses }
        if let other = oracle.fetches.first {
            violate("m\(index) fetches while m\(other.index) does")
        }
        let expiry = oracle.lease?.nonce == claim.nonce ? oracle.lease?.expiry ?? now : now
        oracle.fetches.append((index, claim.nonce, expiry, oracle.losses))
    }

    func judgeStep(to startedAt: Int, by index: Int) {
        if startedAt < members[index].floor {
            violate("m\(index) steps back from \(members[index].floor) to \(startedAt)")
        }
    }

    func judgeAdoption(
        of catalogue: FleetMember.HeldCatalogue, _ pointer: CataloguePointer?, isPinned: Bool, by index: Int
    ) {
        let member = members[index]
        let revision = catalogue.revision
        if !isPinned { judgeStep(to: catalogue.startedAt, by: index) }
        if isPinned, member.machine.pin?.pointer?.revision != revision {
            violate("m\(index) gives a pin nobody ordered")
        }
        guard let number = SimulatedCatalogue.number(of: revision), number <= upstreamNumber,
            !SimulatedCatalogue.isRefused(number)
        else { return violate("m\(index) gives \(revision), which the upstream never had") }
        let owned = [member.given?.revision, member.fetched, member.examined, member.found]
        if !owned.contains(revision) { violate("m\(index) gives \(revision), which it does not have") }
        if let pointer, pointer.revision != revision || pointer.startedAt > catalogue.startedAt {
            violate("m\(index) gives \(catalogue) as \(pointer)")
        }
    }

    /// Returns what the members disagree about after everything works again.
    func agreement() -> [String] {
        let versions = members.map { $0.machine.pin?.version ?? 0 }
        let version = max(versions.max() ?? 0, storage.pin?.version ?? 0)
        if version > storage.pin?.version ?? 0 { return ["\(now) the storage has lost the pin"] }
        if versions.contains(where: { $0 < version }) { return ["\(now) a member does not know the pin"] }
        if plan.isPicky { return [] }
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
        let others = members.filter { $0.given?.revision != expected }.map {
            "m\($0.index) \($0.given?.revision ?? "nothing")"
        }
        if !others.isEmpty { return ["\(now) all ought to give \(expected ?? "nothing"), but: \(others)"] }
        if storage.pin?.pointer == nil, storage.current?.startedAt ?? 0 < oracle.newestAtHeal,
            !members.allSatisfy({ $0.machine.held?.revision == storage.current?.revision })
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
