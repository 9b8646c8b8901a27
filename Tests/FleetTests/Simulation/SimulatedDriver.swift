import Fleet

extension FleetSimulation {
    /// Gives an event to a member, or keeps it until the member runs again.
    func give(_ event: FleetMember.Event, to index: Int) {
        if members[index].isAbsent { return }
        if members[index].pausedUntil > now {
            if case .wake = event { return }
            members[index].inbox.append(event)
            return
        }
        let effects = members[index].machine.handle(event, at: .milliseconds(now))
        members[index].pin = members[index].machine.pin ?? members[index].pin
        log("m\(index) \(event)")
        for effect in effects {
            carryOut(effect, of: index)
        }
        scheduleWake(of: index)
    }

    private func scheduleWake(of index: Int) {
        guard let time = members[index].machine.nextWake else { return }
        let milliseconds = time.components.attoseconds % 1_000_000_000_000_000 == 0 ? 0 : 1
        let wake = max(
            now,
            Int(time.components.seconds) * 1_000 + Int(time.components.attoseconds / 1_000_000_000_000_000)
                + milliseconds)
        guard wake < members[index].scheduledWake else { return }
        if wake == now {
            members[index].idleWakes += 1
            if members[index].idleWakes > 50 { return violate("m\(index) spins: \(members[index].machine)") }
        } else {
            members[index].idleWakes = 0
        }
        members[index].scheduledWake = wake
        queue.insert(.wake(index), at: wake)
    }

    func resume(_ index: Int) {
        guard members[index].pausedUntil <= now else { return }
        let events = members[index].inbox
        members[index].inbox = []
        log("m\(index) resumes")
        for event in events {
            give(event, to: index)
        }
        scheduleWake(of: index)
    }

    private func carryOut(_ effect: FleetMember.Effect, of index: Int) {
        log("m\(index)   \(effect)")
        let incarnation = members[index].incarnation
        switch effect {
        case .send(let id, let command, let limit): transmit(id, command, within: limit, from: index)
        case .fetch(let id, let claim):
            if let claim { judgeFetch(claim, by: index) } else { members[index].alone = (nil, now) }
            let usual = plan.isSlow ? dice.roll(plan.turnLength + 500, plan.turnLength * 2) : dice.roll(5, 300)
            let length = dice.chance(50) && !isHealed ? dice.roll(500, plan.turnLength + 2_000) : usual
            queue.insert(
                .readUpstream(index, incarnation: incarnation, id, claim, rest: length / 2), at: now + length / 2)
        case .examine(let pointer, let bytes):
            let event = FleetMember.Event.examined(sha256: pointer.sha256, examine(pointer, bytes, by: index))
            queue.insert(.deliver(index, incarnation: incarnation, event), at: now + dice.roll(0, 5))
        case .adopt(let catalogue, let pointer, let isPinned):
            judgeAdoption(of: catalogue, pointer, isPinned: isPinned, by: index)
            members[index].datedSkew = members[index].skew
            members[index].truth = isPinned ? 0 : truth(of: catalogue, pointer, by: index)
            members[index].given = catalogue
            members[index].servesPin = isPinned
            members[index].floor = pointer == nil ? 0 : catalogue.startedAt
            if !isPinned { members[index].kept = catalogue.revision }
            refreshed(index)
        case .keep(let catalogue, _):
            let (member, revision) = (members[index], catalogue.revision)
            if !member.servesPin || !member.ownFetches.contains(revision) && member.found != revision {
                violate("m\(index) keeps \(revision), which it has neither fetched nor found, or without a pin")
            }
            members[index].kept = revision
            if member.ownFetches.contains(revision) { refreshed(index) }
        case .confirm:
            if let served = members[index].machine.served, !members[index].servesPin {
                judgeStep(to: served.startedAt, by: index)
                members[index].floor = served.startedAt
                members[index].given = served
                members[index].truth = max(members[index].truth, oracle.begun[served.startedAt] ?? 0)
            }
            refreshed(index)
        case .encode(let id, let revision):
            let own = [members[index].given?.revision, members[index].kept] + members[index].ownFetches
            guard own.contains(revision), let number = SimulatedCatalogue.number(of: revision) else {
                return violate("m\(index) encodes \(revision), which it does not have")
            }
            let catalogue = SimulatedCatalogue.committed(number, writer: "m\(index)")
            queue.insert(
                .deliver(index, incarnation: incarnation, .fetched(id, .catalogue(catalogue))),
                at: now + dice.roll(0, 30))
        case .answer(_, let outcome): answered(outcome, index)
        case .carriedOut(let id, let fault):
            if members[index].orders.remove(id) == nil { violate("m\(index) ends an order twice") }
            if fault == nil { ask(index, isForced: true) }
        case .note(let note): notes[note, default: 0] += 1
        case .accept(let revision): members[index].expected = revision
        case .weigh(let id, let revision, let pointer):
            queue.insert(
                .weigh(index, incarnation: incarnation, id, revision: revision, pointer), at: now + dice.roll(0, 30))
        }
    }

    private func truth(of catalogue: FleetMember.PlacedCatalogue, _ pointer: CataloguePointer?, by index: Int) -> Int {
        let member = members[index]
        if pointer == nil, member.alone.revision == catalogue.revision { return member.alone.began }
        if pointer == nil, member.found == catalogue.revision { return member.foundTruth }
        if let began = oracle.begun[catalogue.startedAt] { return began }
        return member.given?.revision == catalogue.revision ? member.truth : 0
    }

    /// Compares by the gate, as far as there is something to compare with.
    func weigh(_ index: Int, _ incarnation: Int, _ id: Int, _ revision: String, _ pointer: CataloguePointer) {
        guard members[index].incarnation == incarnation else { return }
        var weight = FleetMember.Weight.passes
        let isHeld = members[index].given?.revision == pointer.revision
        let number = SimulatedCatalogue.number(of: pointer.revision) ?? 0
        if !isHeld, isStorageDown || members[index].isCut || hungUntil > now {
            weight = .unknown
        } else if SimulatedCatalogue.isPart(revision), !SimulatedCatalogue.isPart(pointer.revision), !plan.isCareless,
            isHeld || storage.blobs[pointer.sha256] == SimulatedCatalogue.blob(number)
        {
            weight = .refused
            (members[index].floor, members[index].truth) = (0, 0)
        }
        give(.weighed(id, weight), to: index)
    }

    private func examine(_ pointer: CataloguePointer, _ bytes: [UInt8], by index: Int) -> FleetMember.Examination {
        guard let number = SimulatedCatalogue.number(of: pointer.revision), bytes == SimulatedCatalogue.blob(number)
        else { return .damaged }
        if members[index].machine.pin?.pointer?.sha256 != pointer.sha256 {
            if pointer.isAccepted { members[index].expected = pointer.revision }
            if isRefused(number, by: index) { return .refused }
        }
        members[index].examined = pointer.revision
        return .good
    }

    /// Whether a member's gate refuses a catalogue. An order to accept is used up.
    private func isRefused(_ number: Int, by index: Int) -> Bool {
        let (revision, given) = (SimulatedCatalogue.revision(number), members[index].given?.revision)
        if members[index].expected == revision {
            members[index].expected = nil
            return false
        }
        if revision == given { return false }
        if let given, SimulatedCatalogue.isPart(number), !SimulatedCatalogue.isPart(given) { return true }
        return SimulatedCatalogue.isRefused(number) || (plan.isPicky && index % 3 == 1 && number % 5 == 2)
    }

    func readUpstream(_ index: Int, _ incarnation: Int, _ id: Int, _ claim: Claim?, _ rest: Int) {
        guard members[index].incarnation == incarnation else { return }
        let number = upstreamNumber
        let outcome: FleetMember.FetchOutcome
        if members[index].isCutFromUpstream {
            outcome = .failed(.unreachable)
        } else if isUpstreamDown {
            outcome = .failed(number % 2 == 0 ? .unreachable : .failed(refused: nil))
        } else if isRefused(number, by: index) {
            outcome = .failed(.failed(refused: SimulatedCatalogue.revision(number)))
        } else {
            outcome = .catalogue(SimulatedCatalogue.committed(number, writer: "m\(index)"))
            members[index].fetched = SimulatedCatalogue.revision(number)
            members[index].ownFetches.insert(SimulatedCatalogue.revision(number))
            if claim == nil { members[index].alone.revision = SimulatedCatalogue.revision(number) }
        }
        let nonce = claim?.nonce
        if let nonce { oracle.fetches.removeAll { $0.nonce == nonce } }
        queue.insert(.deliver(index, incarnation: incarnation, .fetched(id, outcome)), at: now + rest)
    }

    // MARK: - The memory in front of it

    func refreshMemory(_ index: Int) {
        guard members[index].pausedUntil <= now else {
            queue.insert(.memory(index), at: members[index].pausedUntil)
            return
        }
        guard !members[index].isAbsent else { return queue.insert(.memory(index), at: now + plan.interval / 4) }
        let member = members[index]
        if member.asks > 0 || member.memoryExpiry > now {
            queue.insert(.memory(index), at: max(member.memoryExpiry, now + plan.interval / 4))
            return
        }
        ask(index, isForced: false)
        queue.insert(.memory(index), at: now + plan.interval)
    }

    func ask(_ index: Int, isForced: Bool) {
        guard !members[index].isAbsent else { return }
        asks += 1
        members[index].asks += 1
        give(.asked(asks, isForced: isForced), to: index)
    }

    private func refreshed(_ index: Int) {
        members[index].memoryExpiry = now + plan.interval
    }

    private func answered(_ outcome: FleetMember.AskOutcome, _ index: Int) {
        members[index].asks -= 1
        switch outcome {
        case .served:
            if members[index].given == nil { violate("m\(index) answers without a catalogue") }
            refreshed(index)
        case .paused(let duration, _):
            members[index].memoryExpiry = now + max(100, Int(duration.components.seconds) * 1_000)
        case .failed: members[index].memoryExpiry = now + dice.roll(500, 2_000)
        case .unavailable:
            if members[index].given == nil { violate("m\(index) is unavailable without a catalogue") }
            members[index].memoryExpiry = now + plan.interval / 2
        }
        if members[index].asks < 0 { violate("m\(index) answers twice") }
    }
}
