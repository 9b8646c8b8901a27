internal import JSON
internal import Redis
internal import Text

/// Parses replies of a storage as strictly as the scripts do: a value of another form counts as absent.
///
/// Numbers have at most 13 digits, so that neither Lua's doubles nor sums of some of them overflow.
enum UntrustedStorage {
    static let highest = 9_999_999_999_999
    /// The greatest accepted beginning of a refresh, and number of an order about pins. It exceeds all generations, and
    /// leaves room above forged values.
    static let latest = 9_000_000_000_000
    /// The length of the longest pointer, announcement or status.
    static let longestText = 4096
    static let longestPin = 16_384
    static let longestName = 128
    static let longestToken = 32
    static let pointerFields = [
        "generation", "revision", "epoch", "startedAt", "checkedAt", "count", "bytes", "sha256", "encoding", "writer",
        "source", "accepted",
    ]
    static let attemptFields = ["failures", "notBefore", "refused"]

    static func number(_ value: RedisValue?) -> Int? {
        switch value {
        case .integer(let number): (0...highest).contains(number) ? number : nil
        case .bytes(let bytes) where (1...13).contains(bytes.count) && bytes.allSatisfy { (48...57).contains($0) }:
            bytes.reduce(0) { $0 * 10 + Int($1 - 48) }
        default: nil
        }
    }

    static func hex(_ value: RedisValue?, _ length: Int) -> String? {
        guard case .bytes(let bytes) = value, bytes.count == length, let text = value?.text,
            StorageKeys.isHex(text, length)
        else { return nil }
        return text
    }

    /// The text without control and formatting characters.
    static func line(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { !$0.isSteering }))
    }

    /// The token of a failure, which clients see; nil for a text of another form.
    static func token(_ text: String?) -> String? {
        guard let text, (1...longestToken).contains(text.utf8.count),
            text.utf8.allSatisfy({ (97...122).contains($0) || (48...57).contains($0) || $0 == UInt8(ascii: "-") })
        else { return nil }
        return text
    }

    /// The array of `TIME`, in milliseconds.
    static func time(_ value: RedisValue?) -> Int? {
        guard let items = value?.items, items.count == 2, let seconds = number(items[0]),
            let microseconds = number(items[1]), microseconds < 1_000_000, seconds <= highest / 1000 - 1
        else { return nil }
        return seconds * 1000 + microseconds / 1000
    }

    /// Reads the fields of a hash, in the order of `pointerFields`.
    static func pointer(_ value: RedisValue?) -> CataloguePointer? {
        guard let fields = value?.items, fields.count == pointerFields.count,
            let generation = number(fields[0]), let revision = hex(fields[1], 32), let epoch = number(fields[2]),
            let startedAt = number(fields[3]), let checkedAt = number(fields[4]), let count = number(fields[5]),
            let bytes = number(fields[6]), let sha256 = hex(fields[7], 64),
            case .bytes(let encoding) = fields[8], encoding.elementsEqual("gzip".utf8),
            case .bytes(let writer) = fields[9], writer.count <= longestName,
            (1..<latest).contains(generation), (1...latest).contains(startedAt), bytes > 0
        else { return nil }
        return CataloguePointer(
            generation: generation, revision: revision, epoch: epoch, startedAt: startedAt, checkedAt: checkedAt,
            count: count, bytes: bytes, sha256: sha256, writer: line(String(decoding: writer, as: UTF8.self)),
            source: fields[10].text.flatMap { PointerSource(text: $0) },
            isAccepted: fields[11] == .bytes([UInt8(ascii: "1")]))
    }

    static func pointer(json value: JSONValue?) -> CataloguePointer? {
        guard let members = value?.object else { return nil }
        return pointer(
            .array(
                pointerFields.map { name in
                    switch members[name] {
                    case .number(let number): number.integer.map { .integer($0) } ?? .null
                    case .string(let text): .bytes(Array(text.utf8))
                    case .bool(true): .bytes([UInt8(ascii: "1")])
                    default: .null
                    }
                }))
    }

    /// Parses a text of limited length; nil when it is no JSON object.
    static func object(_ value: RedisValue?, longest: Int = longestText) -> JSONObject? {
        guard case .bytes(let bytes) = value, bytes.count <= longest else { return nil }
        return try? JSONParser(depthLimit: 4).parse(bytes).object
    }

    static func pin(_ value: RedisValue?) -> PinRecord? {
        guard let members = object(value, longest: longestPin), let version = whole(members["version"]),
            (1...latest).contains(version), let by = members["by"]?.string
        else { return nil }
        let isNone = members["pointer"].map(\.isNull) ?? true
        let pointer = pointer(json: members["pointer"])
        guard isNone || pointer != nil else { return nil }
        return PinRecord(
            version: version, pointer: pointer, by: line(by), reason: members["reason"]?.string.map(line))
    }

    static func seen(_ value: RedisValue?) -> SeenFailure? {
        guard let members = object(value), let reason = token(members["reason"]?.string),
            let member = members["member"]?.string, let detail = members["detail"]?.string,
            member.utf8.count <= longestName
        else { return nil }
        return SeenFailure(reason: reason, detail: line(detail), member: line(member))
    }

    static func status(_ value: RedisValue?, name: String) -> MemberStatus? {
        guard let members = object(value), let generation = whole(members["generation"]),
            let startedAt = whole(members["startedAt"]), let at = whole(members["at"]),
            let isHolder = members["isHolder"]?.bool, let revision = members["revision"]?.string,
            revision.isEmpty || StorageKeys.isHex(revision, 32)
        else { return nil }
        return MemberStatus(
            name: name, generation: generation, revision: revision, startedAt: startedAt, isHolder: isHolder, at: at)
    }

    static func whole(_ value: JSONValue?) -> Int? {
        number(value?.number?.integer.map { .integer($0) })
    }

    /// - Parameter values: the pointer's fields, the pin, the epoch, the fields of the attempt, the accepted revision and
    ///   the time.
    static func contents(_ values: [RedisValue], now: Int) -> StorageContents? {
        guard values.count >= 5 else { return nil }
        let attempt = values[3].items ?? []
        return StorageContents(
            pointer: pointer(values[0]), pin: pin(values[1]), epoch: number(values[2]) ?? 0,
            refused: attempt.count == 3 ? hex(attempt[2], 32) : nil, accepted: hex(values[4], 32),
            failures: number(attempt.first) ?? 0, now: now)
    }
}

extension Announcement {
    /// Reads a message of the channel; nil for a foreign one.
    package init?(message: [UInt8]) {
        guard let members = UntrustedStorage.object(.bytes(message)) else { return nil }
        if let pointer = UntrustedStorage.pointer(json: members["pointer"]) {
            self = .pointer(pointer, listeners: min(UntrustedStorage.whole(members["listeners"]) ?? 0, 100_000))
        } else if let sha256 = members["damaged"]?.string, StorageKeys.isHex(sha256, 64) {
            self = .damaged(sha256: sha256)
        } else if members["look"] == .bool(true) {
            self = .look
        } else {
            return nil
        }
    }
}

extension StorageFault {
    /// Sorts an error by its code. Redis 6.2 puts the code of a command that failed in a script behind its own words.
    init(redis text: String) {
        var code = text.prefix { $0 != " " }
        if code == "ERR", text.hasPrefix("ERR Error running script"), let inner = text.firstRange(of: ": -") {
            code = text[inner.upperBound...].prefix { $0 != " " }
        }
        switch code {
        case "OOM", "READONLY", "MISCONF", "NOREPLICAS": self = .readOnly
        case "LOADING", "MASTERDOWN", "BUSY", "TRYAGAIN", "CLUSTERDOWN": self = .silent
        default: self = .refused(String(text.prefix(200)))
        }
    }

    init(_ error: RedisError) {
        switch error {
        case .disconnected, .timedOut: self = .silent
        case .refused(let text): self.init(redis: text)
        }
    }
}
