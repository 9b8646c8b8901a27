internal import FoundationEssentials

/// A shared storage, as the driver of a member uses it.
///
/// No call waits longer than its limit, and none throws: a storage that is away is an ordinary result.
package protocol FleetStorage: Sendable {
    /// Connections, their ends, and announcements, in order. For one consumer.
    var events: AsyncStream<FleetStorageEvent> { get }
    /// Keeps the connection until it is cancelled.
    func run() async
    /// - Parameter blob: the bytes of a `writeBlob`; nil for every other command.
    func perform(
        _ command: StorageCommand, blob: [UInt8]?, within limit: Duration
    ) async -> Result<StorageReply, StorageFault>
    /// The catalogues that the storage keeps, newest first.
    func history(within limit: Duration) async -> Result<[CataloguePointer], StorageFault>
    /// Publishes a member's status.
    func publishStatus(_ own: MemberStatus, within limit: Duration) async -> Result<Void, StorageFault>
    /// Publishes a member's status, reads all, this one included, and removes those that are long silent.
    func exchange(_ own: MemberStatus, within limit: Duration) async -> Result<[MemberStatus], StorageFault>
    /// The last catalogue of a fleet with another configuration. Only reads.
    func former(maxBytes: Int, within limit: Duration) async -> Result<FormerCatalogue?, StorageFault>
}

package enum FleetStorageEvent: Sendable, Hashable {
    case up
    /// Carries the cause.
    case down(String)
    case announced(Announcement)
}

/// The state of a member, as it publishes it.
package struct MemberStatus: Sendable, Hashable {
    package var name: String
    /// The generation, the revision and the time of the served catalogue; 0 and empty without one.
    package var generation: Int
    package var revision: String
    package var startedAt: Int
    package var isHolder: Bool
    /// When it was published, in milliseconds since 1970 by the storage's clock.
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

extension Date {
    init(milliseconds: Int) { self.init(timeIntervalSince1970: TimeInterval(milliseconds) / 1000) }

    var milliseconds: Int { Int((timeIntervalSince1970 * 1000).rounded()) }
}

/// The keys of one catalogue and one configuration, all in one hash slot.
package struct StorageKeys: Sendable, Hashable {
    package let name: String
    package let fingerprint: String
    private let database: Int

    /// - Parameters:
    ///   - name: the name of the catalogue; see ``isUsable(name:)``.
    ///   - fingerprint: 12 hexadecimal digits.
    ///   - database: the number of the database that holds the keys.
    package init(name: String, fingerprint: String, database: Int = 0) {
        precondition(Self.isUsable(name: name), "the name of a catalogue is 1 to 64 letters, digits and -_.")
        precondition(Self.isFingerprint(fingerprint), "a fingerprint is 12 hexadecimal digits")
        (self.name, self.fingerprint, self.database) = (name, fingerprint, database)
    }

    /// Whether a catalogue can have this name: a brace or a colon would lead to other keys.
    package static func isUsable(name: String) -> Bool {
        (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
                case UInt8(ascii: "0")...UInt8(ascii: "9"): true
                default: "-_.".utf8.contains(byte)
                }
            }
    }

    static func isFingerprint(_ text: String) -> Bool { isHex(text, 12) }

    /// Whether a text consists of `length` lower-case hexadecimal digits.
    static func isHex(_ text: String, _ length: Int) -> Bool {
        text.utf8.count == length && text.utf8.allSatisfy("0123456789abcdef".utf8.contains)
    }

    private var prefix: String { "larder:1:{\(name):\(fingerprint)}:" }

    var current: String { prefix + "current" }
    var pin: String { prefix + "pin" }
    var epoch: String { prefix + "epoch" }
    var attempt: String { prefix + "attempt" }
    var accepted: String { prefix + "accepted" }
    var turn: String { prefix + "lease" }
    var history: String { prefix + "history" }
    /// The blob of the current pointer that a member found damaged.
    var damaged: String { prefix + "damaged" }
    /// The names of all blobs, so that superfluous ones are found.
    var blobs: String { prefix + "blobs" }
    var members: String { prefix + "members" }
    /// The databases of a server share its channels, so the name has the number of any database but 0.
    var channel: String { prefix + "announce" + (database == 0 ? "" : ":\(database)") }

    /// The keys that every script is given first, in this order.
    var common: [String] { [current, pin, epoch, attempt, accepted, turn, history, damaged, blobs] }

    func blob(_ sha256: String) -> String { prefix + "blob:" + sha256 }

    /// The fingerprint of the last committer; in a slot of its own.
    var latest: String { "larder:1:{\(name)}:latest" }
}
