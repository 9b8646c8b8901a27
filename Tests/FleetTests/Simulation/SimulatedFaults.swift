import Fleet

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
            oracle.lease = nil
        case .failover:
            guard let snapshot = snapshots.first else { return }
            let breakage = storage.breakage
            lose { storage = snapshot.storage }
            storage.breakage = breakage
            oracle.lease = snapshot.oracle
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
            if members[index].pausedUntil > now {
                members[index].pausedUntil = now
                resume(index)
            }
        }
        oracle.newestAtHeal = max(
            storage.current?.startedAt ?? 0, members.map { $0.machine.held?.startedAt ?? 0 }.max() ?? 0)
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
        upstreamNumber += 1
        while SimulatedCatalogue.isRefused(upstreamNumber) == good || (good && isHealed && upstreamNumber % 5 == 2) {
            upstreamNumber += 1
        }
    }

    private func order(_ pointer: CataloguePointer?, at index: Int) {
        pinVersion = max(pinVersion + 1, Self.wallClock + now)
        let record = PinRecord(version: pinVersion, pointer: pointer, by: "operator", reason: nil)
        members[index].pin = record
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
        let found = old.given
        let pin = old.machine.pin
        if plan.isForgetful { member.floor = old.floor }
        members[index] = member
        queue.insert(.connect(index), at: now + dice.roll(1, 600))
        queue.insert(.memory(index), at: now + dice.roll(0, 1_000))
        guard hasDisk, !plan.isForgetful, let found else { return }
        members[index].found = found.revision
        if let pin { give(.pinned(pin), to: index) }
        queue.insert(.deliver(index, incarnation: member.incarnation, .found(found)), at: now + dice.roll(0, 200))
    }
}

extension Array {
    fileprivate func randomElement(by dice: inout Dice) -> Element? {
        isEmpty ? nil : self[dice.roll(0, count - 1)]
    }
}
