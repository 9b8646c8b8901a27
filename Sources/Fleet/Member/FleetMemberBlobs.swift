extension FleetMember {
    var isPinned: Bool { pin?.pointer != nil }

    /// Whether the catalogue of a pin is served or, without a pin, an unpinned one.
    func obeys(_ pin: CataloguePointer?) -> Bool {
        servesPin ? served?.revision == pin?.revision : pin == nil
    }

    /// The pointer whose catalogue should be served instead; nil when the right one is served.
    var wanted: CataloguePointer? {
        if let pinned = pin?.pointer {
            if !obeys(pinned) {
                // The fleet's catalogue is better than none.
                guard served == nil, isUnusable(pinned), let pointer else { return pinned }
                return pointer
            }
            return nil
        }
        guard let pointer else { return nil }
        guard let newest = newest ?? served else { return pointer }
        let time = time(of: newest.startedAt)
        if pointerTime > time { return pointer }
        if pointer.revision == newest.revision { return servesPin ? pointer : nil }
        // The storage's catalogue counts where times are equal.
        return pointerTime == time ? pointer : nil
    }

    /// The newest catalogue that the member has whole, also behind a pin. A storage is filled with no other: the pinned
    /// one is older, and would become the newest of the fleet.
    var newest: PlacedCatalogue? { servesPin ? whole : served }
    var newestTime: Int { time(of: newest?.startedAt ?? 0) }

    func isUnusable(_ pointer: CataloguePointer) -> Bool {
        guard let found = follower.unusable[pointer.sha256], found.generation == pointer.generation else {
            return false
        }
        return found.retry.map { $0 > now } ?? true
    }

    /// Whether a catalogue is being read, or will be at once.
    var isFollowing: Bool {
        if follower.blob != nil { return true }
        guard isLinked, let wanted else { return false }
        return !isUnusable(wanted) && follower.nextBlob <= now
    }

    var blobWake: Duration? {
        if let blob = follower.blob {
            if case .pausing(let until) = blob.stage { return until }
            return nil
        }
        guard isLinked, let wanted else { return nil }
        if isUnusable(wanted) { return follower.unusable[wanted.sha256]?.retry }
        return follower.nextBlob
    }

    /// Takes the next step towards the wanted catalogue.
    mutating func follow() {
        var start = now
        if let blob = follower.blob {
            guard case .pausing(let until) = blob.stage else { return }
            start = until
        }
        let wasPausing = follower.blob != nil
        follower.blob = nil
        guard let wanted else { return releasePin() }
        if wanted.revision == served?.revision || wanted.revision == whole?.revision {
            return adopt(wanted)
        }
        if !isLinked { releasePin() }
        guard isLinked, follower.nextBlob <= now, !isUnusable(wanted) else { return }
        guard wanted.bytes <= settings.maxBytes else { return setUnusable(wanted, "too_large") }
        if !wasPausing {
            start = now + spread()
        }
        follower.blob = (wanted, .pausing(until: start))
        if start <= now {
            follower.blob?.stage = .reading
            send(.readBlob(sha256: wanted.sha256, bytes: wanted.bytes))
        }
    }

    mutating func readBlob(_ sha256: String, _ bytes: [UInt8]?) {
        guard let blob = follower.blob, blob.pointer.sha256 == sha256 else { return }
        guard let bytes, bytes.count == blob.pointer.bytes else {
            return setUnusable(blob.pointer, bytes == nil ? "missing" : "damaged")
        }
        follower.blob?.stage = .examining
        effects.append(.examine(blob.pointer, bytes))
    }

    mutating func readBlobFailed(_ sha256: String) {
        guard follower.blob?.pointer.sha256 == sha256 else { return }
        record(.read("failed"))
        follower.blob = nil
        follower.nextBlob = now + pause(1_000, 2_000)
        if served == nil {
            goAlone { $0 == .following }
        }
    }

    mutating func examined(_ sha256: String, _ examination: Examination) {
        guard let blob = follower.blob, blob.pointer.sha256 == sha256, case .examining = blob.stage else { return }
        follower.blob = nil
        switch examination {
        case .good:
            follower.unusable[sha256] = nil
            if let wanted, wanted.sha256 == sha256 {
                record(.read("adopted"))
                adopt(wanted)
            } else if !isPinned, time(of: blob.pointer.startedAt) > max(servedTime, newestTime) {
                record(.read("adopted"))
                adopt(blob.pointer)
            }
        case .damaged: setUnusable(blob.pointer, "damaged")
        case .refused: setUnusable(blob.pointer, "refused")
        }
    }

    private mutating func setUnusable(_ pointer: CataloguePointer, _ why: String) {
        follower.blob = nil
        let old = follower.unusable[pointer.sha256]
        if old == nil {
            record(.read(why))
        }
        let isDamaged = why == "missing" || why == "damaged"
        if follower.unusable.count > 16 {
            follower.unusable = [:]
        }
        let tries = min((old?.tries ?? 0) + 1, 3)
        follower.unusable[pointer.sha256] = Follower.Unusable(
            revision: pointer.revision, generation: pointer.generation, isRefused: why == "refused",
            retry: isDamaged ? now + settings.poll * (1 << (tries - 1)) : nil, tries: tries)
        if isDamaged {
            send(.reportDamage(sha256: pointer.sha256))
        }
    }

    /// Serves the catalogue of a pointer, which the member has whole.
    private mutating func adopt(_ pointer: CataloguePointer) {
        let isForPin = isPinned && pointer == pin?.pointer
        let isSame = served?.revision == pointer.revision && servesPin == isForPin
        var catalogue = PlacedCatalogue(
            revision: pointer.revision, startedAt: time(of: pointer.startedAt), isAccepted: pointer.isAccepted)
        for own in [served, isForPin ? nil : newest].compactMap(\.self) where own.revision == pointer.revision {
            catalogue.startedAt = max(time(of: own.startedAt), catalogue.startedAt)
        }
        give(catalogue, isForPin: isForPin)
        effects.append(isSame ? .confirm(pointer) : .adopt(catalogue, pointer, isPinned: isForPin))
    }

    mutating func give(_ catalogue: PlacedCatalogue, isForPin: Bool) {
        (served, servesPin) = (catalogue, isForPin)
        if !isForPin { whole = catalogue }
    }

    /// Ends a pin that was taken off while the storage is away.
    private mutating func releasePin() {
        guard servesPin, !isPinned, let served else { return }
        let newest = whole.flatMap { time(of: $0.startedAt) > servedTime ? $0 : nil } ?? served
        give(newest, isForPin: false)
        effects.append(.adopt(newest, nil, isPinned: false))
    }

    /// Serves the catalogue from before the start, unless there is a newer one. Its time may be corrected. It answers
    /// no ask: the fleet or the upstream may have a newer one.
    mutating func found(_ found: PlacedCatalogue) {
        var catalogue = found.dated(by: follower.clock ?? settings.wallClock)
        if follower.clock == nil { catalogue.begun = found.begun }
        if let pinned = pin?.pointer {
            if pinned.revision == catalogue.revision, !obeys(pinned) {
                let catalogue = PlacedCatalogue(revision: pinned.revision, startedAt: time(of: pinned.startedAt))
                give(catalogue, isForPin: true)
                return effects.append(.adopt(catalogue, pinned, isPinned: true))
            }
            if served != nil {
                guard whole == nil else { return }
                whole = catalogue
                return effects.append(.keep(catalogue, nil))
            }
        }
        if let served, served != follower.found {
            guard catalogue.startedAt > servedTime, catalogue.revision != served.revision, !catalogue.isForeign else {
                return
            }
        }
        follower.found = catalogue
        for index in turns.asks.indices {
            turns.asks[index].position = max(turns.asks[index].position, catalogue.startedAt)
        }
        give(catalogue, isForPin: false)
        effects.append(.adopt(catalogue, nil, isPinned: false))
    }
}
