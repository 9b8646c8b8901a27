/// The names of what a storage keeps for one catalogue and one configuration, all in one hash slot.
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

    /// Whether a catalogue can have this name: a brace or a colon would make other keys of it.
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
    var lease: String { prefix + "lease" }
    var history: String { prefix + "history" }
    /// The blob of the current pointer that a member found damaged.
    var damaged: String { prefix + "damaged" }
    /// The names of all blobs, so that superfluous ones are found.
    var blobs: String { prefix + "blobs" }
    var members: String { prefix + "members" }
    /// Channels belong to the whole server, so that of another database than 0 has its number.
    var channel: String { prefix + "announce" + (database == 0 ? "" : ":\(database)") }

    /// The keys that every script is given first, in this order.
    var common: [String] { [current, pin, epoch, attempt, accepted, lease, history, damaged, blobs] }

    func blob(_ sha256: String) -> String { prefix + "blob:" + sha256 }

    /// The fingerprint of the last committer; in a slot of its own.
    var latest: String { "larder:1:{\(name)}:latest" }
}
