internal import FoundationEssentials

/// A shared storage, as the driver of a member uses it.
///
/// No call waits longer than its limit, and none throws: a storage that is away is an ordinary answer.
package protocol FleetStorage: Sendable {
    /// Whether the storage can be reached, and what its members announce, in order. For one consumer.
    var events: AsyncStream<FleetStorageEvent> { get }
    /// Keeps the connection until it is cancelled.
    func run() async
    /// - Parameter blob: the bytes of a `writeBlob`; nil for every other command.
    func perform(
        _ command: StorageCommand, blob: [UInt8]?, within limit: Duration
    ) async -> Result<StorageReply, StorageFault>
    /// Lets a revision through the gates of all members once, in place of the current one, and announces it. It fails where
    /// another one has become current.
    func accept(
        revision: String, replacing current: String?, within limit: Duration
    ) async -> Result<Void, StorageFault>
    /// The catalogues that the storage keeps, newest first.
    func history(within limit: Duration) async -> Result<[CataloguePointer], StorageFault>
    /// Says how a member is.
    func say(_ own: MemberStatus, within limit: Duration) async -> Result<Void, StorageFault>
    /// Says how a member is, reads what all have last said, this one included, and forgets those that are long silent.
    func meet(_ own: MemberStatus, within limit: Duration) async -> Result<[MemberStatus], StorageFault>
    /// The catalogue that a fleet with another configuration committed last; nil without one. Only reads.
    func former(maxBytes: Int, within limit: Duration) async -> Result<FormerCatalogue?, StorageFault>
}

package enum FleetStorageEvent: Sendable, Hashable {
    case up
    /// Carries the cause.
    case down(String)
    case announced(Announcement)
}

/// The state of a member, as it says itself.
package struct MemberStatus: Sendable, Hashable {
    package var name: String
    /// The generation, the revision and the time of the catalogue that it gives; 0 and empty without one.
    package var generation: Int
    package var revision: String
    package var startedAt: Int
    package var isHolder: Bool
    /// When it said so, in milliseconds since 1970 by the storage's clock.
    package var at: Int

    package init(name: String, generation: Int, revision: String, startedAt: Int, isHolder: Bool, at: Int) {
        (self.name, self.generation, self.revision) = (name, generation, revision)
        (self.startedAt, self.isHolder, self.at) = (startedAt, isHolder, at)
    }
}

/// The catalogue of a fleet with another configuration.
package struct FormerCatalogue: Sendable {
    package var fingerprint: String
    package var pointer: CataloguePointer
    package var blob: [UInt8]

    package init(fingerprint: String, pointer: CataloguePointer, blob: [UInt8]) {
        (self.fingerprint, self.pointer, self.blob) = (fingerprint, pointer, blob)
    }
}

/// The clock of a storage, as far as its last reply told.
struct StorageTime: Sendable {
    let milliseconds: Int
    let at: Duration

    /// - Parameter sent: when the command was sent whose reply carries the storage's time.
    init(_ milliseconds: Int, sent: Duration, received: Duration) {
        self.milliseconds = milliseconds
        at = sent + (received - sent) / 2
    }

    func now(at uptime: Duration) -> Int { milliseconds + Int((uptime - at) / .milliseconds(1)) }
}

extension Date {
    init(milliseconds: Int) { self.init(timeIntervalSince1970: TimeInterval(milliseconds) / 1000) }

    var milliseconds: Int { Int((timeIntervalSince1970 * 1000).rounded()) }
}
