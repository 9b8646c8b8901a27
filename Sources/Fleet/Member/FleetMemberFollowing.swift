extension FleetMember {
    /// How the member follows the storage.
    struct Follower: Sendable {
        /// The reading of a blob.
        enum Stage: Sendable { case pausing(until: Duration), reading, examining }

        /// A blob that could not be adopted.
        struct Unusable: Sendable {
            var revision: String
            var generation: Int
            var isRefused: Bool
            /// When it is tried again, since another member may have repaired the blob; nil for never.
            var retry: Duration?
            var tries = 1
        }

        var nextLook = Duration.zero
        var isLooking = false
        var looksAgain = false
        /// Whether the storage was read since the link is up.
        var isSynced = false
        /// Whether the storage was ever read.
        var hasRead = false
        /// The catalogue from before the start.
        var found: PlacedCatalogue?
        var epoch = 0
        /// The latest `startedAt` that was seen in the storage.
        var highWater = 0
        /// When that was seen: replies to earlier commands may be older.
        var highWaterTime = Duration.zero
        /// The clock of the storage less the time of events, in milliseconds.
        var clock: Int?
        var accepted: String?
        var blob: (pointer: CataloguePointer, stage: Stage)?
        var unusable: [String: Unusable] = [:]
        /// The earliest time of the next blob, after a silence of the storage.
        var nextBlob = Duration.zero
    }

    /// The time by the storage's clock or, until that is known, by the member's own.
    var clock: Int { now.milliseconds + (follower.clock ?? settings.wallClock) }

    /// The place of a time in the order of the fleet. A time more than a day ahead of the storage's clock comes before
    /// all others. A smaller lead is possible: the clock may be set back, and each refresh is later than the one
    /// before.
    func time(of startedAt: Int) -> Int {
        follower.clock == nil || startedAt <= clock + Self.horizon ? startedAt : 0
    }

    var servedTime: Int { time(of: served?.startedAt ?? 0) }
    var pointerTime: Int { time(of: pointer?.startedAt ?? 0) }
    static let horizon = 86_400_000

    /// The time by the storage's clock; nil until a reply has carried it.
    func storageTime(at now: Duration) -> Int? { follower.clock.map { $0 + now.milliseconds } }

    /// Sets the storage's clock from the reply to a command of the driver.
    mutating func learnClock(_ time: Int, sentAt: Duration, at now: Duration) {
        self.now = max(now, self.now)
        learnClock(time, sentAt: sentAt)
    }

    /// Sets the storage's clock. The first time, places by the own clock are corrected.
    private mutating func learnClock(_ time: Int, sentAt: Duration) {
        // The time in a late reply is inexact.
        guard now - sentAt <= settings.commandLimit || follower.clock == nil else { return }
        let clock = time - (sentAt + (now - sentAt) / 2).milliseconds
        defer { follower.clock = clock }
        guard follower.clock == nil else { return }
        let shift = clock - settings.wallClock
        for index in turns.asks.indices where served?.begun != nil && turns.asks[index].position > 0 {
            turns.asks[index].position = min(turns.asks[index].position + shift, clock + now.milliseconds)
        }
        // Dated by their events: the numbers may have been raised above the numbers of earlier catalogues.
        (served, whole) = (served?.dated(by: clock), whole?.dated(by: clock))
        follower.found = follower.found?.dated(by: clock)
        if let alone = turns.alone { turns.alone?.startedAt = max(1, clock + alone.begun.milliseconds) }
    }

    /// Reads the storage where that is due.
    mutating func look() {
        guard isLinked, !follower.isLooking, follower.nextLook <= now else { return }
        follower.isLooking = true
        follower.looksAgain = false
        let poll = settings.poll.milliseconds
        follower.nextLook = now + pause(poll * 4 / 5, poll * 6 / 5)
        send(.read)
    }

    mutating func lookSoon() {
        if follower.isLooking {
            follower.looksAgain = true
        } else {
            follower.nextLook = min(follower.nextLook, now + spread())
        }
    }

    mutating func lookNow() {
        (follower.looksAgain, follower.nextLook) = (follower.isLooking, now)
    }

    mutating func lookFailed() {
        follower.isLooking = false
        follower.nextLook = min(follower.nextLook, now + pause(1_000, 2_000))
        goAlone { _ in true }
    }

    /// Follows the contents of the storage.
    mutating func consume(_ contents: StorageContents, sentAt: Duration) {
        let isFirst = !follower.hasRead
        (follower.isSynced, follower.hasRead) = (true, true)
        if follower.looksAgain, !follower.isLooking {
            (follower.looksAgain, follower.nextLook) = (false, now)
        }
        learnClock(contents.now, sentAt: sentAt)
        refused = contents.refused
        follower.epoch = max(follower.epoch, contents.epoch)
        consume(contents.pin)
        if contents.accepted != follower.accepted {
            follower.accepted = contents.accepted
            if let revision = contents.accepted {
                follower.unusable = follower.unusable.filter { !($1.isRefused && $1.revision == revision) }
            }
            effects.append(.accept(revision: contents.accepted))
        }
        let startedAt = contents.pointer.flatMap { $0.isPlausible ? time(of: $0.startedAt) : nil } ?? 0
        if startedAt < time(of: follower.highWater) {
            guard sentAt >= follower.highWaterTime else { return lookSoon() }
            record(.lost)
            (follower.highWater, follower.unusable) = (startedAt, [:])
        }
        learn(contents.pointer)
        guard isFirst, let pointer else { return }
        // The time on disk is the time of the confirmation, which is later than the beginning of the refresh.
        let isKnown = served?.revision == pointer.revision
        if isKnown, served == follower.found, pointerTime <= servedTime {
            effects.append(.confirm(pointer))
        }
        // A fleet that starts reads the storage, not the upstream.
        if isKnown || pointerTime >= servedTime { followForAsks() }
    }

    mutating func learn(_ pointer: CataloguePointer?) {
        let old = self.pointer
        self.pointer = pointer.flatMap { $0.isPlausible ? $0 : nil }
        guard let pointer = self.pointer else { return }
        if pointerTime > time(of: follower.highWater) {
            (follower.highWater, follower.highWaterTime) = (pointerTime, now)
        }
        follower.epoch = max(follower.epoch, pointer.epoch)
        if repair.damaged != nil, pointer.sha256 != repair.damaged || pointer.generation != old?.generation {
            repair.damaged = nil
        }
        if isPinned, served != nil, pointerTime > time(of: old?.startedAt ?? 0) {
            effects.append(.confirm(pointer))
        }
    }

    mutating func announced(_ announcement: Announcement) {
        switch announcement {
        case .pointer(let announced, let count):
            listeners = count
            guard announced.isPlausible else { return }
            let known = (pointerTime, pointer?.generation ?? 0)
            if (time(of: announced.startedAt), announced.generation) > known {
                learn(announced)
            } else if announced != pointer {
                lookSoon()
            }
            retryAsks()
        case .look:
            if let sha256 = pin?.pointer?.sha256, follower.unusable[sha256]?.retry != nil {
                follower.unusable[sha256]?.retry = now
            }
            repair.pinDue = nil
            lookSoon()
            retryAsks()
        case .damaged(let sha256): blobDamaged(sha256)
        }
    }
}

extension FleetMember.PlacedCatalogue {
    /// The catalogue of a pointer.
    init(_ pointer: CataloguePointer) {
        self.init(revision: pointer.revision, startedAt: pointer.startedAt, isAccepted: pointer.isAccepted)
    }

    /// Returns the catalogue with its place in the order of the storage.
    /// - Parameter clock: the clock of the storage less the time of events, in milliseconds.
    func dated(by clock: Int) -> Self {
        guard let begun else { return self }
        var catalogue = self
        (catalogue.startedAt, catalogue.begun) = (max(1, clock + begun.milliseconds), nil)
        return catalogue
    }
}

extension CataloguePointer {
    /// Whether the numbers are exact in Lua, which counts in doubles. Greater ones would outrun every refresh.
    var isPlausible: Bool {
        let numbers = 0..<(1 << 52)
        return numbers.contains(startedAt) && numbers.contains(epoch) && numbers.contains(generation) && bytes >= 0
    }
}
