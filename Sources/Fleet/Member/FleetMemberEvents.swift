extension FleetMember {
    /// A command without a reply so far.
    struct Sent: Sendable {
        var command: StorageCommand
        var time: Duration
        /// The operator's order that waits for it.
        var order: AskID?
    }

    /// The time at which `wake` is due; nil while only other events can change anything.
    package var nextWake: Duration? {
        let look = isLinked && !follower.isLooking ? follower.nextLook : nil
        return [look, blobWake, repairWake, askWake, renewalWake].compactMap(\.self).min()
    }

    /// Handles one event, and returns its effects in order.
    package mutating func handle(_ event: Event, at now: Duration) -> [Effect] {
        self.now = max(now, self.now)
        begin = begin ?? now
        switch event {
        case .link(let isUp): isUp ? linkUp() : linkDown()
        case .announced(let announcement): announced(announcement)
        case .reply(let id, let reply):
            if let sent = pending.removeValue(forKey: id) {
                replied(reply, to: sent)
            }
        case .failed(let id, let fault):
            if let sent = pending.removeValue(forKey: id) {
                failed(sent, fault)
            }
        case .asked(let id, let isForced, let isAnew): asked(id, isForced: isForced, isAnew: isAnew)
        case .fetched(let id, let outcome): fetched(id, outcome)
        case .examined(let sha256, let examination): examined(sha256, examination)
        case .pinned(let record): pinned(record)
        case .accepting(let id, let revision): accepting(id, revision)
        case .found(let catalogue): found(catalogue)
        case .weighed(let id, let weight): weighed(id, weight)
        case .wake: break
        }
        look()
        follow()
        mend()
        serveAsks()
        renew()
        defer { effects.removeAll(keepingCapacity: true) }
        return effects
    }

    private mutating func linkUp() {
        guard !isLinked else { return }
        isLinked = true
        follower.nextLook = now
        turns.wasLinked = true
        if let nonce = turns.openNonce {
            turns.openNonce = nil
            send(.release(nonce: nonce, .unused))
        }
    }

    private mutating func linkDown() {
        isLinked = false
        follower.isSynced = false
        if follower.accepted != nil {
            // The order may be carried out meanwhile; if it is not, the storage still has it.
            follower.accepted = nil
            effects.append(.accept(revision: nil))
        }
        let lost = pending.sorted { $0.key < $1.key }
        pending = [:]
        for (_, sent) in lost {
            failed(sent, .silent)
        }
    }

    private mutating func replied(_ reply: StorageReply, to sent: Sent) {
        switch (sent.command, reply) {
        case (.read, .contents(let contents)):
            follower.isLooking = false
            consume(contents, sentAt: sent.time)
        case (.acquire(let request), _): acquired(request, reply, sentAt: sent.time)
        case (.commit, _): committed(reply, noting: "committed")
        case (.confirm, _): committed(reply, noting: "confirmed")
        case (.writeBlob(let sha256), .done): wrote(sha256)
        case (.readBlob(let sha256, _), .blob(let bytes)): readBlob(sha256, bytes)
        case (.renew(let claim, let milliseconds), .done):
            renewed(claim, until: sent.time + .milliseconds(milliseconds))
        case (.accept, .done):
            carriedOut(sent.order, nil)
            announced(.look)
        case (.accept, .fenced):
            carriedOut(sent.order, .refused("another catalogue has become current meanwhile"))
        case (.release, _), (.pin, _), (.reportDamage, _), (.renew, _): break
        default: failed(sent, .refused("unexpected reply"))
        }
    }

    private mutating func failed(_ sent: Sent, _ fault: StorageFault) {
        switch sent.command {
        case .read: lookFailed()
        case .acquire(let request): acquireFailed(request, fault)
        case .commit, .confirm: commitFailed()
        case .writeBlob(let sha256): writeFailed(sha256)
        case .readBlob(let sha256, _): readBlobFailed(sha256)
        case .accept: carriedOut(sent.order, fault)
        case .release, .pin, .reportDamage, .renew: break
        }
    }

    /// - Parameter order: the operator's order that waits for the reply.
    mutating func send(_ command: StorageCommand, for order: AskID? = nil) {
        lastNumber += 1
        pending[lastNumber] = Sent(command: command, time: now, order: order)
        var limit = settings.commandLimit
        switch command {
        case .readBlob, .writeBlob: limit = settings.blobLimit
        default: break
        }
        effects.append(.send(lastNumber, command, within: limit))
    }

    mutating func record(_ note: FleetNote) {
        effects.append(.note(note))
    }

    /// A random number below 2^64 (SplitMix64).
    mutating func nextRandom() -> UInt64 {
        random &+= 0x9E37_79B9_7F4A_7C15
        var mixed = random
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A random time between two, both in milliseconds.
    mutating func pause(_ low: Int, _ high: Int) -> Duration {
        .milliseconds(low + Int(nextRandom() % UInt64(max(high - low, 0) + 1)))
    }

    /// A random pause, so that the members do not all read at once after an announcement.
    mutating func spread() -> Duration {
        pause(0, min(150, listeners * 2))
    }
}

extension Duration {
    var milliseconds: Int {
        Int(components.seconds) * 1_000 + Int(components.attoseconds / 1_000_000_000_000_000)
    }
}
