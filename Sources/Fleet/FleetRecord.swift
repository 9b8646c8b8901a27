internal import FoundationEssentials
internal import Glibc
internal import JSON
internal import Redis

/// The record of a fleet on a replica's own disk: the pin, and the places of its latest catalogues. A generation on
/// disk has no place of its own, since the clock that dated it may have been wrong.
struct FleetRecord: Sendable, Hashable {
    struct Entry: Sendable, Hashable {
        var revision: String
        /// See ``FleetMember/PlacedCatalogue/startedAt``; 0 if the storage's clock was not known.
        var startedAt: Int
        /// When the refresh that brought it began, if the storage's clock was not known then.
        var begun: BootTime?
        /// nil for a catalogue that is not in the storage.
        var pointer: CataloguePointer?
    }

    /// Newest first.
    var entries: [Entry] = []
    var pin: PinRecord?
    private static let most = 32

    /// The place of a revision; nil if it is not of this fleet.
    subscript(revision: String) -> Entry? { entries.first { $0.revision == revision } }

    /// Records a catalogue that is served from now on.
    mutating func add(_ entry: Entry) {
        if let first = entries.first, first.revision == entry.revision, first.pointer != nil || entry.pointer == nil {
            return
        }
        entries.removeAll { $0.revision == entry.revision }
        entries.insert(entry, at: 0)
        entries = Array(entries.prefix(Self.most))
    }

    /// Records that the latest catalogue, fetched alone, is in the storage now.
    mutating func confirm(_ pointer: CataloguePointer) {
        guard let first = entries.first, first.revision == pointer.revision, first.pointer == nil else { return }
        entries[0].pointer = pointer
    }

    /// Adds the contents of an older record.
    mutating func merge(_ older: FleetRecord) {
        if let pin = older.pin, pin.version > self.pin?.version ?? 0 { self.pin = pin }
        let known = Set(entries.map(\.revision))
        entries = Array((entries + older.entries.filter { !known.contains($0.revision) }).prefix(Self.most))
    }
}

extension FleetRecord {
    /// Reads as strictly as from a storage: a malformed value counts as absent.
    init(_ json: JSONObject) {
        pin = json["pin"].flatMap { UntrustedStorage.pin(.bytes($0.encoded())) }
        entries = (json["catalogues"]?.array ?? []).prefix(Self.most).compactMap { value in
            guard let members = value.object, let revision = members["revision"]?.string,
                StorageKeys.isHex(revision, 32), let startedAt = UntrustedStorage.whole(members["startedAt"])
            else { return nil }
            return Entry(
                revision: revision, startedAt: startedAt, begun: members["begun"]?.object.flatMap(BootTime.init),
                pointer: UntrustedStorage.pointer(json: members["pointer"]))
        }
    }

    var json: JSONObject {
        var json: JSONObject = [
            "catalogues": .array(
                entries.map { entry in
                    var members: JSONObject = [
                        "revision": .string(entry.revision), "startedAt": .count(entry.startedAt),
                    ]
                    members["begun"] = entry.begun.map { .object($0.json) }
                    members["pointer"] = entry.pointer.map { .object(UntrustedStorage.json(of: $0)) }
                    return .object(members)
                })
        ]
        json["pin"] = pin.map { .object(UntrustedStorage.json(of: $0)) }
        return json
    }
}

/// A moment by the machine's clock since its boot, which nothing sets and which a restart of the process keeps.
struct BootTime: Sendable, Hashable {
    /// The kernel's identifier of the boot.
    private let boot: String
    private let milliseconds: Int

    private static let currentBoot = FileManager.default.contents(atPath: "/proc/sys/kernel/random/boot_id")
        .map { String(decoding: $0, as: UTF8.self).filter { !$0.isWhitespace } }

    private static var now: Int {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_BOOTTIME, &time)
        return Int(time.tv_sec) * 1_000 + Int(time.tv_nsec) / 1_000_000
    }

    /// - Parameter age: the time since that moment.
    /// - Returns: nil if the kernel does not name its boots.
    init?(before age: Duration) {
        guard let boot = Self.currentBoot else { return nil }
        (self.boot, milliseconds) = (boot, Self.now - Int(age / .milliseconds(1)))
    }

    init?(_ json: JSONObject) {
        guard let boot = json["boot"]?.string, let milliseconds = UntrustedStorage.whole(json["milliseconds"]) else {
            return nil
        }
        (self.boot, self.milliseconds) = (boot, milliseconds)
    }

    var json: JSONObject { ["boot": .string(boot), "milliseconds": .count(milliseconds)] }

    /// The time since then; nil after another boot, or on another machine.
    var age: Duration? {
        let age = Self.now - milliseconds
        return boot == Self.currentBoot && age >= 0 ? .milliseconds(age) : nil
    }
}
