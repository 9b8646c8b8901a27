extension FleetMember {
    /// The repair of a storage that has lost something.
    struct Repair: Sendable {
        /// When the newest catalogue is written to a storage that is behind or damaged; nil while it is not.
        var due: Duration?
        /// The blob of the current pointer, if a member found it damaged.
        var damaged: String?
        /// A revision that is too long for the storage.
        var unsharable: String?
        /// When the blob of the pin is written again.
        var pinDue: Duration?
        var pinFetch: FetchID?
        /// The running comparison of the newest catalogue with the storage's.
        var weighing: (id: FetchID, own: String, stored: String)?
        /// A revision of this member that may replace this one of the storage.
        var weighed: (own: String, stored: String)?
    }

    mutating func wrote(_ sha256: String) {
        if case .writing(let grant) = turns.stage, let catalogue = grant.catalogue, catalogue.sha256 == sha256 {
            turns.stage = .committing(grant)
            send(.commit(grant.claim, catalogue))
        } else if let pin, pin.pointer?.sha256 == sha256 {
            // Announcing the pin makes the other members read the storage, which has the blob again.
            send(.pin(pin))
        }
    }

    mutating func writeFailed(_ sha256: String) {
        if case .writing(let grant) = turns.stage, grant.catalogue?.sha256 == sha256 { commitFailed() }
    }

    mutating func committed(_ reply: StorageReply, noting done: String) {
        guard case .committing(var grant) = turns.stage, let catalogue = grant.catalogue else { return }
        switch reply {
        case .committed(let pointer):
            turns.stage = .none
            record(.commit(grant.refill == nil ? done : "refilled"))
            repair.damaged = nil
            took(own: pointer, isRefill: grant.refill != nil)
        case .missing where !grant.isWrittenTwice:
            grant.isWrittenTwice = true
            turns.stage = .writing(grant)
            send(.writeBlob(sha256: catalogue.sha256))
        case .missing:
            record(.commit("missing"))
            commitFailed()
        case .fenced:
            turns.stage = .none
            record(.commit(grant.until <= now ? "late" : "fenced"))
            lookNow()
            turns.notBefore = now + pause(100, 300)
            wantAgain()
        default: commitFailed()
        }
    }

    /// The storage gave no reply: the fetched catalogue counts as fetched alone.
    mutating func commitFailed() {
        let grant: Turns.Grant
        switch turns.stage {
        case .writing(let found), .committing(let found): grant = found
        case .none, .asking, .fetching, .weighing: return
        }
        turns.stage = .none
        record(.commit("failed"))
        if isLinked { send(.release(nonce: grant.claim.nonce, .unused)) } else { turns.openNonce = grant.claim.nonce }
        if grant.refill == nil, let catalogue = grant.catalogue {
            keep(catalogue.revision, startedAt: grant.claim.startedAt)
        } else {
            repair.due = now + pause(1_000, settings.poll.milliseconds)
        }
        lookSoon()
    }

    // MARK: - Refill

    /// Whether the storage lacks the newest catalogue of the member.
    private var isBehind: Bool {
        guard isLinked, follower.isSynced, let newest, newest.revision != repair.unsharable else { return false }
        if let pointer, newest.revision == pointer.revision { return repair.damaged == pointer.sha256 }
        // A foreign catalogue stays out of the storage.
        return newestTime > pointerTime && !newest.isForeign
    }

    var repairWake: Duration? {
        guard isLinked else { return nil }
        guard let due = repair.due, isIdle else { return repair.pinDue }
        return min(due, repair.pinDue ?? due)
    }

    /// Writes the newest catalogue to a storage that lacks it, after a random pause.
    mutating func mend() {
        if let due = repair.pinDue, due <= now, isLinked {
            repair.pinDue = nil
            if repair.pinFetch == nil, let pinned = pin?.pointer, served?.revision == pinned.revision {
                lastNumber += 1
                repair.pinFetch = lastNumber
                effects.append(.encode(lastNumber, revision: pinned.revision))
            }
        }
        guard isBehind, let newest else {
            repair.due = nil
            return
        }
        guard let due = repair.due else {
            repair.due = now + pause(0, 500)
            return
        }
        guard due <= now, isIdle else { return }
        if let pointer, !maySupersede(pointer) {
            repair.due = now + settings.poll
            lastNumber += 1
            repair.weighing = (lastNumber, newest.revision, pointer.revision)
            return effects.append(.weigh(lastNumber, revision: newest.revision, against: pointer))
        }
        repair.due = nil
        acquire(.refill, knownStartedAt: newestTime, isForced: false)
    }

    /// Whether a comparison has shown that the newest catalogue may replace the storage's: a subset must not.
    func maySupersede(_ pointer: CataloguePointer) -> Bool {
        guard let newest, newest.revision != pointer.revision else { return true }
        return repair.weighed.map { $0 == (newest.revision, pointer.revision) } ?? false
    }

    mutating func weighed(_ id: FetchID, _ weight: Weight) {
        if case .weighing(let awaited, let grant) = turns.stage, awaited == id { return weighed(grant, weight) }
        guard let (awaited, own, stored) = repair.weighing, awaited == id else { return }
        repair.weighing = nil
        // The decision is about these two revisions only; both may have been replaced meanwhile.
        guard newest?.revision == own, pointer?.revision == stored, weight != .unknown else { return }
        if weight == .passes {
            repair.weighed = (own, stored)
            repair.due = now
        } else {
            // The fleet's catalogue takes its place, even if it is older.
            if !servesPin { served?.startedAt = 0 }
            if whole?.revision == own { whole?.startedAt = 0 }
        }
    }

    /// The blob of the pin is ready to be written again.
    mutating func mended(_ id: FetchID, _ outcome: FetchOutcome) {
        guard repair.pinFetch == id else { return }
        repair.pinFetch = nil
        if case .catalogue(let catalogue) = outcome, let pinned = pin?.pointer, pinned.sha256 == catalogue.sha256 {
            send(.writeBlob(sha256: catalogue.sha256))
        }
    }

    mutating func blobDamaged(_ sha256: String) {
        if let pointer, pointer.sha256 == sha256, newest?.revision == pointer.revision {
            repair.damaged = sha256
        }
        if let pinned = pin?.pointer, pinned.sha256 == sha256, served?.revision == pinned.revision, repair.pinDue == nil
        {
            repair.pinDue = now + pause(0, 1_000)
        }
    }

    // MARK: - Pins

    /// Obeys an operator's order, which may not be in the storage yet.
    mutating func pinned(_ record: PinRecord) {
        guard record.version > pin?.version ?? 0 else { return }
        pin = record
        if isLinked {
            send(.pin(record))
        }
    }

    /// Lets a revision through the gates of the fleet, in place of the pointer's.
    mutating func accepting(_ id: AskID, _ revision: String) {
        guard isLinked else { return carriedOut(id, .silent) }
        send(.accept(revision: revision, replacing: pointer?.revision), for: id)
    }

    mutating func carriedOut(_ order: AskID?, _ fault: StorageFault?) {
        if let order { effects.append(.carriedOut(order, fault)) }
    }

    /// Compares the storage's record with the member's own; the higher version counts.
    mutating func consume(_ record: PinRecord?) {
        if let record, record.version >= pin?.version ?? 0 {
            pin = record
        } else if let pin {
            send(.pin(pin))
        }
    }
}
