extension FleetMember {
    mutating func acquire(_ purpose: TurnRequest.Purpose, knownStartedAt: Int, isForced: Bool) {
        turns.stage = .asking
        let nonce = "\(settings.name)-\(lastNumber)-\(String(nextRandom(), radix: 16))"
        send(
            .acquire(
                TurnRequest(
                    nonce: nonce, member: settings.name, milliseconds: settings.turnLength.milliseconds,
                    purpose: purpose, seenEpoch: follower.epoch, knownStartedAt: knownStartedAt, isForced: isForced)))
    }

    /// The turn that the member has; nil once it has expired.
    func claim(at now: Duration) -> Claim? { turns.grant.flatMap { $0.until > now ? $0.claim : nil } }

    mutating func acquired(_ request: TurnRequest, _ reply: StorageReply, sentAt: Duration) {
        turns.stage = .none
        switch reply {
        case .granted(let claim, let milliseconds, let contents):
            turns.waits = 0
            consume(contents, sentAt: sentAt)
            follower.epoch = max(follower.epoch, claim.epoch)
            guard now - sentAt < .milliseconds(milliseconds) else {
                // The process was paused until the turn was over.
                return send(.release(nonce: claim.nonce, .unused))
            }
            begin(request, claim, until: sentAt + .milliseconds(milliseconds))
        case .newer(let contents):
            turns.waits = 0
            consume(contents, sentAt: sentAt)
            if request.purpose == .refresh { followForAsks() } else { repair.damaged = nil }
        case .taken(let milliseconds):
            turns.waits = min(turns.waits + 1, 5)
            turns.notBefore =
                now
                + min(
                    .milliseconds(milliseconds) + pause(0, 250), pause(1_000, 2_000) * turns.waits)
            if request.purpose == .refill { repair.due = turns.notBefore }
        case .paused(let milliseconds, _, let seen):
            answer(.paused(.milliseconds(milliseconds), seen)) { $0.mode == .wanting && !$0.isForced }
        default: acquireFailed(request, .silent)
        }
    }

    private mutating func begin(_ request: TurnRequest, _ claim: Claim, until: Duration) {
        lastNumber += 1
        var grant = Turns.Grant(
            claim: claim, until: until, renewal: now + settings.turnLength / 3, end: now + settings.turnLength * 10)
        if request.purpose == .refill {
            guard let newest, newestTime == claim.startedAt, !newest.isForeign, pointer.map(maySupersede) ?? true
            else { return send(.release(nonce: claim.nonce, .unused)) }
            grant.refill = newest.revision
            turns.stage = .fetching(lastNumber, grant)
            effects.append(.encode(lastNumber, revision: newest.revision))
        } else if hasWanting {
            turns.stage = .fetching(lastNumber, grant)
            move({ $0.mode == .wanting }, to: .joined)
            effects.append(.fetch(lastNumber, claim))
        } else {
            send(.release(nonce: claim.nonce, .unused))
        }
    }

    mutating func acquireFailed(_ request: TurnRequest, _ fault: StorageFault) {
        turns.stage = .none
        if fault == .silent {
            if isLinked { send(.release(nonce: request.nonce, .unused)) } else { turns.openNonce = request.nonce }
        }
        if request.purpose == .refill {
            repair.due = now + pause(1_000, settings.poll.milliseconds)
        } else {
            goAlone { $0 == .wanting }
        }
    }

    mutating func fetched(_ id: FetchID, _ outcome: FetchOutcome) {
        if let alone = turns.alone, alone.id == id {
            turns.alone = nil
            return fetchedAlone(outcome, startedAt: alone.startedAt, begun: alone.begun)
        }
        guard case .fetching(let awaited, var grant) = turns.stage, awaited == id else { return mended(id, outcome) }
        switch outcome {
        case .catalogue(var catalogue):
            turns.unreachable = 0
            if let revision = grant.refill {
                guard let newest, revision == catalogue.revision, revision == newest.revision else { break }
                catalogue.isAccepted = newest.isAccepted
            }
            grant.catalogue = catalogue
            if grant.refill == nil, catalogue.revision == pointer?.revision {
                turns.stage = .committing(grant)
                return send(.confirm(grant.claim, revision: catalogue.revision, source: catalogue.source))
            }
            if grant.refill == nil, let pointer, !isKnown(pointer), follower.accepted != catalogue.revision {
                // The gate has not compared it with the fleet's.
                lastNumber += 1
                turns.stage = .weighing(lastNumber, grant)
                return effects.append(.weigh(lastNumber, revision: catalogue.revision, against: pointer))
            }
            turns.stage = .writing(grant)
            return send(.writeBlob(sha256: catalogue.sha256))
        case .tooLarge(let revision):
            record(.commit("too_large"))
            repair.unsharable = revision
            if grant.refill == nil { keep(revision, startedAt: grant.claim.startedAt) }
        case .failed(let cause):
            guard grant.refill == nil else {
                repair.due = now + settings.poll
                break
            }
            fetchFailed(cause)
            turns.stage = .none
            return send(.release(nonce: grant.claim.nonce, cause))
        }
        turns.stage = .none
        send(.release(nonce: grant.claim.nonce, .unused))
    }

    private func isKnown(_ pointer: CataloguePointer) -> Bool {
        served?.revision == pointer.revision || whole?.revision == pointer.revision
    }

    /// Goes on with a fetched catalogue after the gate has compared it with the fleet's.
    mutating func weighed(_ grant: Turns.Grant, _ weight: Weight) {
        guard let catalogue = grant.catalogue else { return }
        turns.stage = .writing(grant)
        switch weight {
        case .passes: send(.writeBlob(sha256: catalogue.sha256))
        case .unknown: commitFailed()
        case .refused:
            turns.stage = .none
            let cause = ReleaseCause.failed(refused: catalogue.revision)
            fetchFailed(cause)
            send(.release(nonce: grant.claim.nonce, cause))
        }
    }

    var renewalWake: Duration? {
        guard isLinked, let grant = turns.grant, grant.renewal < grant.end else { return nil }
        return grant.renewal
    }

    /// Prolongs the turn as long as its refresh goes on, up to ten times its length.
    mutating func renew() {
        guard let due = renewalWake, due <= now, let claim = turns.grant?.claim else { return }
        turns.grant?.renewal = now + settings.turnLength / 3
        send(.renew(claim, milliseconds: settings.turnLength.milliseconds))
    }

    mutating func renewed(_ claim: Claim, until: Duration) {
        if turns.grant?.claim == claim { turns.grant?.until = until }
    }

    private mutating func fetchFailed(_ cause: ReleaseCause) {
        if cause == .unreachable {
            turns.unreachable += 1
            turns.abstainsUntil = now + .seconds(min(30, 2 * turns.unreachable))
        }
        answer(.failed) { $0.mode == .joined }
    }

    private mutating func fetchedAlone(_ outcome: FetchOutcome, startedAt: Int, begun: Duration) {
        switch outcome {
        case .catalogue(let catalogue): keep(catalogue.revision, startedAt: startedAt, begun: begun)
        case .tooLarge(let revision):
            repair.unsharable = revision
            keep(revision, startedAt: startedAt, begun: begun)
        case .failed(let cause): fetchFailed(cause)
        }
    }

    /// Serves the own catalogue that was committed.
    mutating func took(own pointer: CataloguePointer, isRefill: Bool) {
        learn(pointer)
        let catalogue = PlacedCatalogue(pointer)
        if !isRefill, !isPinned || served == nil, pointer.startedAt > servedTime {
            let isSame = served?.revision == pointer.revision && !servesPin
            give(catalogue, isForPin: false)
            effects.append(isSame ? .confirm(pointer) : .adopt(catalogue, pointer, isPinned: false))
        } else if isRefill, !servesPin, served?.revision == pointer.revision {
            // The served catalogue has a generation from now on.
            effects.append(.confirm(pointer))
        } else if !isRefill, servesPin {
            whole = catalogue
            effects.append(.keep(catalogue, pointer))
        }
        answer(.served) { $0.mode == .joined }
    }

    mutating func wantAgain() { move({ $0.mode == .joined }, to: .wanting) }

    /// Serves a fetched catalogue that is not in the storage, or keeps it as the newest behind a pin.
    /// - Parameter begun: the beginning of a fetch without a turn, by the time of events.
    mutating func keep(_ revision: String, startedAt: Int, begun: Duration? = nil) {
        let catalogue = PlacedCatalogue(
            revision: revision, startedAt: startedAt, begun: follower.clock == nil ? begun : nil,
            isAccepted: follower.accepted == revision)
        if !isPinned || served == nil, startedAt > servedTime {
            give(catalogue, isForPin: false)
            effects.append(.adopt(catalogue, nil, isPinned: false))
        } else if servesPin, startedAt > newestTime {
            whole = catalogue
            effects.append(.keep(catalogue, nil))
        }
        answer(.served) { $0.mode == .joined }
    }
}
