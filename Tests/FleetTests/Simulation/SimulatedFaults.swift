@testable import Fleet

extension FleetSimulation {
    /// Lets something break, and often plans its end.
    func strike() {
        let fault = plan.faults[dice.roll(0, plan.faults.count - 1)]
        let index = dice.roll(0, members.count - 1)
        let length = dice.chance(300) ? dice.roll(1_000, 12_000) : dice.roll(100, 2_000)
        log("FAULT \(fault) m\(index) \(length) ms")
        switch fault {
        case .storageLoss:
            lose { storage.forget() }
            oracle.turn = nil
        case .failover:
            guard let snapshot = snapshots.first else { return }
            let breakage = storage.breakage
            lose { storage = snapshot.storage }
            storage.breakage = breakage
            if let accepted = storage.accepted { oracle.orders[accepted] = 1 }
            oracle.turn = snapshot.oracle
            snapshots = [snapshot]
        case .storageDown:
            isStorageDown = true
            for index in members.indices { drop(index) }
        case .storageHung: hungUntil = now + length
        case .storageFull: isStorageFull = true
        case .blobDamage:
            guard
                let name = storage.blobs.keys.filter({ storage.blobs[$0]?.isEmpty == false }).sorted().randomElement(
                    by: &dice)
            else { return }
            var blob = storage.blobs[name] ?? []
            switch dice.roll(0, 2) {
            case 0: storage.blobs[name] = nil
            case 1: storage.blobs[name] = blob.dropLast()
            default:
                blob[0] ^= 0x55
                storage.blobs[name] = blob
            }
        case .cutFromStorage:
            members[index].isCut = true
            // The connection is found dead after a while without an answer.
            queue.insert(.disconnect(index, connection: members[index].connection), at: now + dice.roll(500, 8_000))
        case .cutFromUpstream: members[index].isCutFromUpstream = true
        case .deafness: members[index].isDeaf = true
        case .pause:
            members[index].pausedUntil = max(members[index].pausedUntil, now + length)
            queue.insert(.resume(index), at: members[index].pausedUntil)
        case .restart: restart(index, hasDisk: dice.chance(500))
        case .clone: restart(index, hasDisk: false, isClone: true)
        case .upstreamDown: isUpstreamDown = true
        case .upstreamChange: changeUpstream(good: true)
        case .refusal: changeUpstream(good: false)
        case .pin:
            guard let pointer = storage.history.randomElement(by: &dice) else { return }
            order(pointer, at: index)
        case .unpin: order(nil, at: index)
        case .force: ask(index, isForced: true)
        case .clockStep:
            members[index].skew = dice.chance(500) ? dice.roll(-60_000, 60_000) : dice.roll(-7_200_000, 7_200_000)
        case .roll: members[index].isAbsent ? comeBack(index) : leave(index)
        case .accept: accept(at: index)
        case .relapse:
            guard let revision = oracle.everAccepted.sorted().randomElement(by: &dice) else { return }
            publish(SimulatedCatalogue.number(of: revision) ?? 1)
        case .forgery:
            oracle.isForged = true
            let ahead = [3_600_000, 200_000_000, 7_000_000_000_000].randomElement(by: &dice) ?? 0
            storage.current?.startedAt = Self.wallClock + now + ahead
        }
        queue.insert(.mend(fault, index), at: now + length)
    }

    func mend(_ fault: SimulationPlan.Fault, _ index: Int) {
        switch fault {
        case .storageDown: isStorageDown = false
        case .storageFull: isStorageFull = false
        case .cutFromStorage: members[index].isCut = false
        case .cutFromUpstream: members[index].isCutFromUpstream = false
        case .deafness: members[index].isDeaf = false
        case .upstreamDown: isUpstreamDown = isHealed && plan.endsWithoutUpstream
        case .relapse: if !isHealed { changeUpstream(good: true) }
        case .roll: if members[index].isAbsent { comeBack(index) }
        default: break
        }
    }

    /// Ends every fault.
    func heal() {
        log("HEAL")
        isHealed = true
        (isStorageDown, isStorageFull, hungUntil, isUpstreamDown) = (false, false, now, plan.endsWithoutUpstream)
        if plan.endsWithoutUpstream { isUpstreamDown = true } else { changeUpstream(good: true) }
        for index in members.indices {
            (members[index].isCut, members[index].isCutFromUpstream, members[index].isDeaf) = (false, false, false)
            if members[index].isAbsent { comeBack(index) }
            if members[index].pausedUntil > now {
                members[index].pausedUntil = now
                resume(index)
            }
        }
        let times = members.filter { $0.machine.served?.isForeign == false }.map(\.machine.served?.startedAt)
        oracle.newestAtHeal =
            (times + [storage.current?.startedAt]).map {
                StorageModel.time(of: $0, at: Self.wallClock + now)
            }.max() ?? 0
    }

    private func lose(_ change: () -> Void) {
        change()
        oracle.losses += 1
        for index in members.indices { drop(index) }
    }

    private func drop(_ index: Int) {
        queue.insert(.disconnect(index, connection: members[index].connection), at: now + dice.roll(0, 20))
    }

    private func changeUpstream(good: Bool) {
        var number = oracle.highest + 1
        while SimulatedCatalogue.isRefused(number) == good
            || (good && isHealed && (number % 5 == 2 || SimulatedCatalogue.isPart(number)))
        {
            number += 1
        }
        publish(number)
    }

    private func publish(_ number: Int) {
        oracle.ends[upstreamNumber] = now
        oracle.ends[number] = nil
        (upstreamNumber, oracle.highest) = (number, max(oracle.highest, number))
    }

    /// An operator lets through what the fleet refused last, by one of the members.
    private func accept(at index: Int) {
        guard !members[index].isAbsent, let refused = members[index].machine.refused else { return }
        asks += 1
        members[index].orders.insert(asks)
        give(.accepting(asks, revision: refused), to: index)
    }

    /// Another configuration comes into force.
    private func leave(_ index: Int) {
        oracle.fetches.removeAll { $0.index == index }
        if members[index].isLinked { linked -= 1 }
        members[index].isLinked = false
        members[index].connection += 1
        members[index].incarnation += 1
        (members[index].asks, members[index].inbox, members[index].isAbsent) = (0, [], true)
        members[index].orders = []
    }

    /// The configuration of the fleet comes back. The other one has refreshed meanwhile, if it could.
    private func comeBack(_ index: Int) {
        let old = members[index]
        members[index].isAbsent = false
        queue.insert(.connect(index), at: now + dice.roll(1, 300))
        var inherited = old.given
        if old.servesPin { (members[index].floor, members[index].truth) = (0, 0) }
        if !isUpstreamDown, !old.isCutFromUpstream, !SimulatedCatalogue.isRefused(upstreamNumber),
            !SimulatedCatalogue.isPart(upstreamNumber)
        {
            inherited = .init(revision: SimulatedCatalogue.revision(upstreamNumber), startedAt: Self.wallClock + now)
            members[index].truth = now
        }
        if plan.resumesStopped {
            if let served = old.machine.served, let number = SimulatedCatalogue.number(of: served.revision) {
                judgeTruth(number, by: index)
                members[index].given = served
            }
            return give(.link(isUp: false), to: index)
        }
        members[index].machine = machine(index, skew: old.skew)
        (members[index].given, members[index].servesPin) = (nil, false)
        if let pin = old.machine.pin ?? old.pin { give(.pinned(pin), to: index) }
        guard var inherited else { return }
        inherited.isForeign = true
        (members[index].found, members[index].foundTruth) = (inherited.revision, members[index].truth)
        give(.found(inherited), to: index)
    }

    private func order(_ pointer: CataloguePointer?, at index: Int) {
        pinVersion = max(pinVersion + 1, Self.wallClock + now)
        let record = PinRecord(version: pinVersion, pointer: pointer, by: "operator", reason: nil)
        guard !members[index].isAbsent else { return }
        give(.pinned(record), to: index)
    }

    /// Ends a member and starts it again, with its disk or an empty one; a clone repeats the random numbers.
    private func restart(_ index: Int, hasDisk: Bool, isClone: Bool = false) {
        let old = members[index]
        oracle.fetches.removeAll { $0.index == index }
        let seed = isClone ? old.machine.settings.seed : nil
        var member = SimulatedMember(machine: machine(index, skew: old.skew, seed: seed), index: index)
        member.incarnation = old.incarnation + 1
        member.connection = old.connection + 1
        (member.skew, member.isCut, member.isDeaf) = (old.skew, old.isCut, old.isDeaf)
        member.isCutFromUpstream = old.isCutFromUpstream
        if old.isLinked { linked -= 1 }
        var found = old.given
        let pin = old.machine.pin
        found?.isForeign = old.machine.served?.isForeign ?? false
        if plan.isCredulous, !old.servesPin {
            found?.begun = nil
            found?.startedAt = Self.wallClock + min(old.truth + old.datedSkew, now + old.skew) - old.skew
        }
        if plan.isForgetful { member.floor = old.floor }
        if hasDisk, !plan.isForgetful { member.pin = pin }
        member.foundTruth = old.truth
        members[index] = member
        queue.insert(.connect(index), at: now + dice.roll(1, 600))
        queue.insert(.memory(index), at: now + dice.roll(0, 1_000))
        guard hasDisk, !plan.isForgetful else { return }
        if let pin, !plan.losesPins { give(.pinned(pin), to: index) }
        guard let found else { return }
        members[index].found = found.revision
        queue.insert(.deliver(index, incarnation: member.incarnation, .found(found)), at: now + dice.roll(0, 200))
    }
}

extension Array {
    fileprivate func randomElement(by dice: inout Dice) -> Element? {
        isEmpty ? nil : self[dice.roll(0, count - 1)]
    }
}
