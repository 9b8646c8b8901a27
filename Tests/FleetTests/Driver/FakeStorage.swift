import Concurrency
import Fleet
import FoundationEssentials
import TestSupport

/// The storage of a fleet in memory.
final class FleetServer: Sendable {
    private struct State {
        var model = StorageModel()
        var links: [FakeLink] = []
        var members: [String: MemberStatus] = [:]
    }

    private let state = Mutex(State())
    let clock: ManualClock
    private let skew: Duration

    init(clock: ManualClock, skew: Duration) {
        (self.clock, self.skew) = (clock, skew)
    }

    var now: Int {
        Int(((clock.now.offset + skew) / .milliseconds(1)).rounded()) + Int(FleetRig.start.timeIntervalSince1970) * 1000
    }

    var model: StorageModel { state.withLock { $0.model } }

    func change(_ change: (inout StorageModel) -> Void) { state.withLock { change(&$0.model) } }

    func join(_ link: FakeLink) { state.withLock { $0.links.append(link) } }

    func perform(_ command: StorageCommand, blob: [UInt8]?) -> StorageReply {
        let (reply, announcements, links) = state.withLock { state in
            var announcements: [Announcement] = []
            let reply = state.model.perform(command, blob: blob, now: now) { announcements.append($0) }
            return (reply, announcements, state.links)
        }
        for announcement in announcements { for link in links { link.hear(announcement) } }
        return reply
    }

    func exchange(_ status: MemberStatus) -> [MemberStatus] {
        state.withLock { state in
            state.members[status.name] = status
            state.members[status.name]?.at = now
            return Array(state.members.values)
        }
    }
}

/// The way of one replica to the storage.
final class FakeLink: Sendable {
    struct State: Sendable {
        var isUp = true
        /// Whether commands get no reply.
        var isHung = false
        /// Whether announcements are lost.
        var isDeaf = false
        /// Whether blobs arrive damaged.
        var isDamaging = false
        var fault: StorageFault?
        var former: FormerCatalogue?
        var commands: [StorageCommand] = []
        var events: AsyncStream<FleetStorageEvent>.Continuation?
    }

    let server: FleetServer
    let state = Observed(State())

    init(server: FleetServer) {
        self.server = server
        server.join(self)
    }

    func set(_ change: @Sendable (inout State) -> Void) { state.update(change) }

    func cut() {
        state.update { state in
            state.isUp = false
            state.events?.yield(.down("cut"))
        }
    }

    func mend() {
        state.update { state in
            (state.isUp, state.isHung) = (true, false)
            state.events?.yield(.up)
        }
    }

    func hear(_ announcement: Announcement) {
        state.update { state in
            if state.isUp, !state.isDeaf { state.events?.yield(.announced(announcement)) }
        }
    }

    func count(_ isMeant: (StorageCommand) -> Bool) -> Int { state.value.commands.count(where: isMeant) }
}

/// One life of a connection.
final class FakeStorage: FleetStorage {
    private let link: FakeLink
    let events: AsyncStream<FleetStorageEvent>
    private let continuation: AsyncStream<FleetStorageEvent>.Continuation

    init(link: FakeLink) {
        self.link = link
        (events, continuation) = AsyncStream.makeStream()
    }

    func run() async {
        link.set { [continuation] state in
            state.events = continuation
            continuation.yield(state.isUp ? .up : .down("away"))
        }
        let (never, _end) = AsyncStream.makeStream(of: Void.self)
        for await _ in never {}
        _end.finish()
        link.set { $0.events = nil }
        continuation.finish()
    }

    private func fault(_ limit: Duration) async -> StorageFault? {
        let state = link.state.value
        guard state.isUp else { return .silent }
        guard state.isHung else { return state.fault }
        try? await link.server.sleep(limit)
        return .silent
    }

    func perform(
        _ command: StorageCommand, blob: [UInt8]?, within limit: Duration
    ) async -> Result<StorageReply, StorageFault> {
        link.set { $0.commands.append(command) }
        if let fault = await fault(limit) { return .failure(fault) }
        let reply = link.server.perform(command, blob: blob)
        if case .blob(let bytes?) = reply, link.state.value.isDamaging {
            return .success(.blob(bytes.map { $0 ^ 1 }))
        }
        return .success(reply)
    }

    func history(within limit: Duration) async -> Result<[CataloguePointer], StorageFault> {
        if let fault = await fault(limit) { return .failure(fault) }
        return .success(link.server.model.history)
    }

    func publishStatus(_ own: MemberStatus, within limit: Duration) async -> Result<Void, StorageFault> {
        await exchange(own, within: limit).map { _ in }
    }

    func exchange(_ own: MemberStatus, within limit: Duration) async -> Result<[MemberStatus], StorageFault> {
        if let fault = await fault(limit) { return .failure(fault) }
        return .success(link.server.exchange(own))
    }

    func former(maxBytes: Int, within limit: Duration) async -> Result<FormerCatalogue?, StorageFault> {
        .success(link.state.value.former)
    }
}

extension FleetServer {
    func sleep(_ duration: Duration) async throws { try await clock.sleep(for: duration) }
}
