import Fleet

/// The network between members and storage: it delays, loses and doubles messages, but keeps the order of a connection.
extension FleetSimulation {
    private var latency: Int {
        if isHealed { return dice.roll(0, 3) }
        return dice.chance(plan.delays) ? dice.roll(50, 450) : dice.roll(0, 5)
    }

    func connect(_ index: Int) {
        guard !members[index].isLinked, !members[index].isAbsent else { return }
        guard !isStorageDown, !members[index].isCut, hungUntil <= now else {
            queue.insert(.connect(index), at: now + dice.roll(50, 1_000))
            return
        }
        members[index].connection += 1
        members[index].isLinked = true
        linked += 1
        (members[index].lastArrival, members[index].lastReply) = (now, now)
        give(.link(isUp: true), to: index)
    }

    func disconnect(_ index: Int) {
        guard members[index].isLinked else { return }
        members[index].isLinked = false
        linked -= 1
        members[index].connection += 1
        give(.link(isUp: false), to: index)
        queue.insert(.connect(index), at: now + dice.roll(50, 1_000))
    }

    func transmit(_ id: Int, _ command: StorageCommand, within limit: Duration, from index: Int) {
        let connection = members[index].connection
        guard members[index].isLinked else {
            queue.insert(.deliver(index, incarnation: members[index].incarnation, .failed(id, .silent)), at: now)
            return
        }
        var blob: [UInt8]?
        if case .writeBlob(let sha256) = command, let number = Int(sha256.dropFirst()) {
            blob = SimulatedCatalogue.blob(number)
        }
        if !isHealed, dice.chance(plan.losses) || members[index].isCut {
            let limit = Int(limit.components.seconds) * 1_000
            queue.insert(.timeout(index, connection: connection, id), at: now + limit)
            return
        }
        let arrival = max(members[index].lastArrival, now + latency)
        members[index].lastArrival = arrival
        queue.insert(.perform(index, connection: connection, id, command, blob), at: arrival)
    }

    func timeOut(_ index: Int, _ connection: Int, _ id: Int) {
        guard members[index].connection == connection else { return }
        give(.failed(id, .silent), to: index)
        disconnect(index)
    }

    /// The storage carries out a command. It does so also when the connection is gone by now.
    func perform(_ index: Int, _ connection: Int, _ id: Int, _ command: StorageCommand, _ blob: [UInt8]?) {
        if hungUntil > now {
            queue.insert(.perform(index, connection: connection, id, command, blob), at: hungUntil)
            if hungUntil > now + 1_000 {
                queue.insert(.timeout(index, connection: connection, id), at: now + 1_000)
            }
            return
        }
        guard !isStorageDown, !members[index].isCut else {
            queue.insert(.timeout(index, connection: connection, id), at: now + 1_000)
            return
        }
        if isStorageFull, command.writes {
            return reply(.failed(id, .readOnly), to: index, connection)
        }
        storage.listeners = linked
        let before = storage.current
        var announcements: [Announcement] = []
        let result = storage.perform(command, blob: blob, now: Self.wallClock + now) { announcements.append($0) }
        costs.count(command, result)
        log("storage m\(index) #\(id) \(command) -> \(result)")
        judge(command, result, before: before)
        for announcement in announcements {
            spread(announcement)
        }
        if case .writeBlob(let sha256) = command, !isHealed, plan.faults.contains(.blobDamage), dice.chance(100) {
            storage.blobs[sha256] = dice.chance(500) ? nil : [1]
        }
        if !isHealed, dice.chance(plan.losses) {
            log("reply to m\(index) #\(id) is lost")
            queue.insert(.timeout(index, connection: connection, id), at: now + 1_000)
            return
        }
        reply(.reply(id, result), to: index, connection)
    }

    func reply(_ event: FleetMember.Event, to index: Int, _ connection: Int) {
        guard members[index].connection == connection else { return }
        let time = max(members[index].lastReply, now + latency)
        members[index].lastReply = time
        queue.insert(.answer(index, connection: connection, event), at: time)
    }

    func spread(_ announcement: Announcement) {
        costs.announcements += linked
        for index in members.indices where members[index].isLinked {
            let connection = members[index].connection
            if !isHealed, dice.chance(plan.losses) { continue }
            queue.insert(.announce(index, connection: connection, announcement), at: now + latency)
            if !isHealed, dice.chance(plan.losses) {
                queue.insert(.announce(index, connection: connection, announcement), at: now + dice.roll(0, 10_000))
            }
        }
    }
}

extension StorageCommand {
    /// Whether a storage whose memory is full refuses it.
    var writes: Bool {
        switch self {
        case .read, .readBlob, .reportDamage: false
        case .acquire, .commit, .confirm, .renew, .release, .writeBlob, .pin, .accept: true
        }
    }
}
