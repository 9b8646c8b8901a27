import Testing

@testable import Fleet

/// A member that is given events by hand, and its effects.
final class MemberBench {
    var member: FleetMember
    var now = Duration.zero
    var log: [FleetMember.Effect] = []

    init(_ unavailability: FleetMember.Settings.Unavailability = .refreshAlone, maxBytes: Int = 1_000) {
        var settings = FleetMember.Settings(name: "m", seed: 1)
        (settings.whenUnavailable, settings.maxBytes, settings.wallClock) = (unavailability, maxBytes, 1_000_000)
        member = FleetMember(settings: settings)
    }

    @discardableResult func handle(_ event: FleetMember.Event) -> [FleetMember.Effect] {
        let effects = member.handle(event, at: now)
        log += effects
        return effects
    }

    /// Goes to the next wakes until a command of this kind is sent, and returns its number.
    func sent(_ isMeant: (StorageCommand) -> Bool, within limit: Duration = .seconds(15)) -> Int? {
        let end = now + limit
        while true {
            for (index, effect) in log.enumerated() {
                if case .send(let id, let command, _) = effect, isMeant(command) {
                    log.remove(at: index)
                    return id
                }
            }
            guard let wake = member.nextWake, wake <= end else { return nil }
            now = max(now, wake)
            handle(.wake)
        }
    }

    func sentRead() -> Int? { sent { $0 == .read } }
    func sentAcquire(_ purpose: TurnRequest.Purpose) -> (Int, TurnRequest)? {
        var request: TurnRequest?
        let id = sent { command in
            guard case .acquire(let found) = command, found.purpose == purpose else { return false }
            request = found
            return true
        }
        guard let id, let request else { return nil }
        return (id, request)
    }

    func linked(_ contents: StorageContents) throws {
        handle(.link(isUp: true))
        handle(.reply(try #require(sentRead()), .contents(contents)))
    }

    /// Gets the turn for an ask, and the number of the fetch.
    func granted(ask: Int, epoch: Int = 1, isForced: Bool = false) throws -> (Claim, Int) {
        handle(.asked(ask, isForced: isForced))
        let (id, request) = try #require(sentAcquire(.refresh))
        let claim = Claim(nonce: request.nonce, epoch: epoch, startedAt: request.knownStartedAt + 100)
        handle(
            .reply(
                id,
                .granted(
                    claim, milliseconds: 30_000,
                    StorageContents(pointer: member.pointer, epoch: epoch, now: member.clock))))
        let fetch = log.compactMap { if case .fetch(let id, claim) = $0 { id } else { nil } }
        return (claim, try #require(fetch.last))
    }

    var answers: [FleetMember.AskOutcome] {
        log.compactMap { if case .answer(_, let outcome) = $0 { outcome } else { nil } }
    }
    var notes: [FleetNote] { log.compactMap { if case .note(let note) = $0 { note } else { nil } } }
    var adopted: [String] { log.compactMap { if case .adopt(let served, _, _) = $0 { served.revision } else { nil } } }
    var fetches: [Claim?] { log.compactMap { if case .fetch(_, let claim) = $0 { .some(claim) } else { nil } } }
}

/// A suite of members. Each catalogue has a letter for its revision.
protocol MemberSuite {}

extension MemberSuite {
    func pointer(
        _ revision: String, at startedAt: Int, generation: Int = 1, bytes: Int = 3, isAccepted: Bool = false
    ) -> CataloguePointer {
        CataloguePointer(
            generation: generation, revision: revision, epoch: 1, startedAt: startedAt, checkedAt: startedAt, count: 1,
            bytes: bytes, sha256: "sha-\(revision)", writer: "other", isAccepted: isAccepted)
    }

    func catalogue(_ revision: String) -> CommittedCatalogue {
        CommittedCatalogue(revision: revision, count: 1, bytes: 3, sha256: "sha-\(revision)", writer: "m")
    }

    /// A member that has read and adopted a catalogue from the storage.
    func following(_ revision: String, at startedAt: Int) throws -> MemberBench {
        let bench = MemberBench()
        try bench.linked(StorageContents(pointer: pointer(revision, at: startedAt), epoch: 1, now: startedAt))
        try adopt(pointer(revision, at: startedAt), bench)
        bench.log = []
        return bench
    }

    func adopt(_ pointer: CataloguePointer, _ bench: MemberBench) throws {
        bench.handle(.reply(try #require(readsBlob(pointer, bench)), .blob([1, 2, 3])))
        bench.handle(.examined(sha256: pointer.sha256, .good))
        #expect(bench.adopted.last == pointer.revision)
    }

    func readsBlob(_ pointer: CataloguePointer, _ bench: MemberBench) -> Int? {
        bench.sent({ $0 == .readBlob(sha256: pointer.sha256, bytes: pointer.bytes) }, within: .seconds(1))
    }

    func announce(_ pointer: CataloguePointer, to bench: MemberBench, listeners: Int = 2) {
        bench.handle(.announced(.pointer(pointer, listeners: listeners)))
    }

    func read(_ contents: StorageContents, _ bench: MemberBench) throws {
        bench.handle(.reply(try #require(bench.sentRead()), .contents(contents)))
    }

    func weighings(_ bench: MemberBench) -> [FleetMember.FetchID] {
        bench.log.compactMap { if case .weigh(let id, _, _) = $0 { id } else { nil } }
    }
}
