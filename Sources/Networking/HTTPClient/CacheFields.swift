package import FoundationEssentials
internal import Text

/// The age of a response and the statements of the caches that it came through (RFC 9111, RFC 9211).
///
/// Only `Date` compares two clocks. A clock behind this one's makes an answer look older by the difference, which one answer
/// alone does not tell from one that was kept; a clock ahead says nothing. So the clock of an upstream never makes an answer
/// look fresher, and what says that an answer is stale does not read `Date`.
package struct CacheFields: Sendable, Hashable {
    /// When the origin made or confirmed the content, by this machine's clock and not after the request.
    package let confirmedAt: Date
    /// The seconds by which `Date` alone says that it is old; nil where it does not, and where a cache has left other marks.
    package let dateOffset: TimeInterval?
    /// Whether the response says that it is older than it may be.
    package let isStale: Bool
    /// Whether it says that it was given because its own source fails.
    package let isOffline: Bool
    /// The known parameters of `Cache-Status`, from the origin on; empty without any.
    package let cacheStatus: String

    /// - Parameters:
    ///   - requestedAt: the beginning of the request, since the response may have been made at once.
    ///   - longest: the length of `cacheStatus` in bytes, for which the caches next to the origin are left out.
    package init(_ headers: HTTPHeaders, requestedAt: Date, longest: Int) {
        let entries = CacheStatusEntry.list(headers["Cache-Status"] ?? "").filter { $0.name != "larder-overlay" }
        let control = CacheDirectives(headers["Cache-Control"] ?? "")
        let warnings = headers["Warning"]?.split(separator: ",").map { $0.drop { $0 == " " }.prefix(4) } ?? []
        let age = headers.age ?? 0
        var confirmedAt = requestedAt.addingTimeInterval(-TimeInterval(age))
        var dateOffset: TimeInterval?
        if let text = headers["Date"], let date = HTTPDate.seconds(of: text, now: requestedAt) {
            // A date is cut to the second.
            let made = Date(timeIntervalSince1970: TimeInterval(date + 1))
            // A Larder makes its answers anew, so its `Date` is that of its clock.
            let isMarked =
                ["Age", "Via", "Warning"].contains { headers[$0] != nil }
                || headers["Cache-Status"] != nil && entries.last?.name != "larder"
            if made < confirmedAt, !isMarked { dateOffset = confirmedAt.timeIntervalSince(made) }
            confirmedAt = min(confirmedAt, made)
        }
        self.dateOffset = dateOffset
        // Another Larder has no `Age`. The last entry counts from the first source; `Age` is of the caches behind it.
        let stated = entries.last { $0.name == "larder" }?.age ?? 0
        // An earlier year may have no text that a store could read again.
        self.confirmedAt = max(confirmedAt.addingTimeInterval(-TimeInterval(stated)), Date(timeIntervalSince1970: 0))
        isOffline = warnings.contains { $0 == "111 " || $0 == "112 " } || entries.contains(where: \.isOffline)
        isStale =
            isOffline || warnings.contains("110 ") || entries.contains { $0.isStale(leeway: control.leeway) }
            // A cache that says for how long it keeps the answer knows better than what is meant for those behind it.
            || entries.last?.isFresh != true && control.lifetime.map { age > $0 + control.leeway } ?? false
        cacheStatus = CacheStatusEntry.text(of: entries, longest: longest)
    }
}

extension HTTPHeaders {
    /// `Age` in seconds: the first of several, and nil where that is no whole number.
    fileprivate var age: Int? {
        self["Age"]?.split(separator: ",", omittingEmptySubsequences: false).first.flatMap { DeltaSeconds.read($0) }
    }
}

/// Whole seconds (RFC 9111, 1.2.2).
private enum DeltaSeconds {
    /// The number for every greater one.
    private static let greatest = 1 << 31

    static func read(_ text: some StringProtocol) -> Int? {
        let words = text.split(separator: " ")
        guard words.count == 1, let digits = words.first?.utf8,
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return digits.reduce(0) { min(greatest, $0 * 10 + Int($1 - UInt8(ascii: "0"))) }
    }
}

/// The directives of `Cache-Control` that say how long a response may be kept.
private struct CacheDirectives {
    /// The seconds for which a shared cache keeps it; nil where it does not say so. Nothing and `no-cache` do not count:
    /// delivery networks have lifetimes of their own, and send these on for browsers.
    var lifetime: Int?
    /// The seconds behind that in which it is given while another is fetched.
    var leeway = 0

    init(_ text: String) {
        var (shared, own): (Int?, Int?) = (nil, nil)
        var isForBrowsers = false
        for directive in text.lowercased().split(separator: ",") {
            let parts = directive.split(separator: "=", maxSplits: 1)
            if parts.first?.filter({ $0 != " " }) == "no-cache" { isForBrowsers = true }
            guard parts.count == 2, let seconds = DeltaSeconds.read(parts[1].filter { $0 != "\"" }) else { continue }
            switch parts[0].filter({ $0 != " " }) {
            case "s-maxage": shared = seconds
            case "max-age": own = seconds
            case "stale-while-revalidate": leeway = seconds
            default: break
            }
        }
        lifetime = (shared ?? own).flatMap { $0 == 0 || isForBrowsers && shared == nil ? nil : $0 }
    }
}

/// One cache in `Cache-Status`.
private struct CacheStatusEntry {
    var name: String
    /// In their order; empty for one without a value.
    var parameters: [(key: String, value: String)] = []

    private static let known = ["hit", "fwd", "fwd-status", "ttl", "stored", "collapsed", "age", "detail"]
    private static let longestWord = 40
    /// The length of the longest header that is read, in bytes.
    private static let longestText = 2048

    private func value(_ key: String) -> String? { parameters.last { $0.key == key }?.value }

    var age: Int? { value("age").flatMap { DeltaSeconds.read($0) } }

    var isOffline: Bool {
        ["offline", "stale-if-error", "source-offline"].contains(value("detail"))
            || value("fwd-status").flatMap { Int($0) } ?? 0 >= 500
    }

    /// Whether it has kept the answer and not for too long. A Larder says so of its own memory, not of the caches behind it.
    var isFresh: Bool { name != "larder" && value("hit") == "" && value("ttl").flatMap { Int($0) } ?? -1 >= 0 }

    /// A Larder has counted the time since freshness ended in what it leaves for a refresh behind the answer.
    func isStale(leeway: Int) -> Bool {
        if value("detail") == "source-stale" { return true }
        guard let ttl = value("ttl").flatMap({ Int($0) }), ttl < 0 else { return false }
        return name == "larder" ? leeway == 0 : ttl < -leeway
    }

    /// Reads a list of structured fields (RFC 9651); empty for anything else.
    static func list(_ text: String) -> [CacheStatusEntry] {
        guard text.utf8.count <= longestText else { return [] }
        var reader = FieldReader(rest: text.utf8[...])
        var entries: [CacheStatusEntry] = []
        while true {
            guard let name = reader.item() else { return [] }
            var entry = CacheStatusEntry(name: name)
            while reader.take(";") {
                guard let key = reader.word() else { return [] }
                guard reader.take("=") else {
                    entry.parameters.append((key, ""))
                    continue
                }
                guard let value = reader.item() else { return [] }
                entry.parameters.append((key, value))
            }
            entries.append(entry)
            if reader.isAtEnd { return entries }
            guard reader.take(",") else { return [] }
        }
    }

    /// - Returns: the last entries that fit.
    static func text(of entries: [CacheStatusEntry], longest: Int) -> String {
        var texts: [String] = []
        var left = longest + 2
        for entry in entries.reversed() {
            // A quote takes two bytes in JSON.
            left -= entry.text.utf8.count + 2 + entry.text.utf8.count { $0 == UInt8(ascii: "\"") }
            if left < 0 { break }
            texts.insert(entry.text, at: 0)
        }
        return texts.joined(separator: ", ")
    }

    private var text: String {
        let kept = parameters.filter {
            Self.known.contains($0.key) && $0.value.utf8.count <= Self.longestWord
                && $0.value.utf8.allSatisfy { $0.isAlphanumeric || "-_.".utf8.contains($0) }
        }
        let isWord = name.utf8.count <= Self.longestWord && name.utf8.first?.isAlphanumeric == true && name.utf8.isToken
        let plain = name.unicodeScalars.filter { (0x20...0x7E).contains($0.value) && $0 != "\"" && $0 != "\\" }
        let shown = isWord ? name : "\"\(String(String.UnicodeScalarView(plain)).prefix(Self.longestWord))\""
        return shown + kept.map { $0.value.isEmpty ? "; \($0.key)" : "; \($0.key)=\($0.value)" }.joined()
    }
}

/// Reads structured fields piece by piece.
private struct FieldReader {
    var rest: Substring.UTF8View

    var isAtEnd: Bool { rest.isEmpty }

    /// Takes a separator, with the blanks around it.
    mutating func take(_ separator: Unicode.Scalar) -> Bool {
        skipBlanks()
        guard rest.first == UInt8(ascii: separator) else { return false }
        rest.removeFirst()
        skipBlanks()
        return true
    }

    /// A token, number or boolean as written, or the text of a string.
    mutating func item() -> String? {
        guard rest.first == UInt8(ascii: "\"") else { return word() }
        rest.removeFirst()
        var text: [UInt8] = []
        while var byte = rest.popFirst() {
            if byte == UInt8(ascii: "\"") {
                skipBlanks()
                return String(decoding: text, as: UTF8.self)
            }
            if byte == UInt8(ascii: "\\") {
                guard let escaped = rest.popFirst() else { return nil }
                byte = escaped
            }
            text.append(byte)
        }
        return nil
    }

    mutating func word() -> String? {
        let word = rest.prefix { $0.isAlphanumeric || "!#$%&'*+-.^_`|~:/?".utf8.contains($0) }
        rest = rest.dropFirst(word.count)
        skipBlanks()
        return word.isEmpty ? nil : String(Substring(word))
    }

    private mutating func skipBlanks() {
        rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }
}
