package import FoundationEssentials
internal import Text

/// The age of a response and the statements of the caches it passed (RFC 9111, RFC 9211).
///
/// Only `Date` compares two clocks. If the upstream's clock is behind, a response looks older by the difference, like
/// one from a cache; if it is ahead, `Date` is ignored. So an upstream's clock never makes a response look fresher, and
/// staleness is decided without `Date`.
package struct CacheFields: Sendable, Hashable {
    /// When the origin made or confirmed the content, by this machine's clock and not after the request.
    package let confirmedAt: Date
    /// The age in seconds that follows from `Date` alone; nil if it shows none, or if a cache has left other marks.
    package let dateOffset: TimeInterval?
    /// Whether the response is marked as stale.
    package let isStale: Bool
    /// Whether the response is marked as a substitute because its own source fails.
    package let isOffline: Bool
    /// The known parameters of `Cache-Status`, from the origin on; empty if there are none.
    package let cacheStatus: String

    /// - Parameters:
    ///   - requestedAt: the beginning of the request, since the response may have been made at once.
    ///   - longest: the limit of `cacheStatus` in bytes; beyond it, the caches closest to the origin are left out.
    package init(_ headers: HTTPHeaders, requestedAt: Date, longest: Int) {
        let entries = CacheStatusEntry.list(headers["Cache-Status"] ?? "").filter { $0.name != "larder-overlay" }
        let control = CacheDirectives(headers["Cache-Control"] ?? "")
        let warnings = headers["Warning"]?.split(separator: ",").map { $0.drop { $0 == " " }.prefix(4) } ?? []
        let age = headers.age ?? 0
        var confirmedAt = requestedAt.addingTimeInterval(-TimeInterval(age))
        var dateOffset: TimeInterval?
        if let text = headers["Date"], let date = HTTPDate.seconds(of: text, now: requestedAt) {
            // `Date` is truncated to the second.
            let made = Date(timeIntervalSince1970: TimeInterval(date + 1))
            // A Larder makes a new response, so its `Date` is by its own clock.
            let isMarked =
                ["Age", "Via", "Warning"].contains { headers[$0] != nil }
                || headers["Cache-Status"] != nil && entries.last?.name != "larder"
            if made < confirmedAt, !isMarked { dateOffset = confirmedAt.timeIntervalSince(made) }
            confirmedAt = min(confirmedAt, made)
        }
        self.dateOffset = dateOffset
        // Another Larder sends no `Age`. The last entry counts from the first source; `Age` is of the caches after it.
        let stated = entries.last { $0.name == "larder" }?.age ?? 0
        // A store could not parse the text of an earlier year.
        self.confirmedAt = max(confirmedAt.addingTimeInterval(-TimeInterval(stated)), Date(timeIntervalSince1970: 0))
        isOffline = warnings.contains { $0 == "111 " || $0 == "112 " } || entries.contains(where: \.isOffline)
        isStale =
            isOffline || warnings.contains("110 ") || entries.contains { $0.isStale(leeway: control.leeway) }
            // A cache's own remaining lifetime is more accurate than the lifetime meant for later caches.
            || entries.last?.isFresh != true && control.lifetime.map { age > $0 + control.leeway } ?? false
        cacheStatus = CacheStatusEntry.text(of: entries, longest: longest)
    }
}

extension HTTPHeaders {
    /// `Age` in seconds: the first of several; nil if it is not a whole number.
    fileprivate var age: Int? {
        self["Age"]?.split(separator: ",", omittingEmptySubsequences: false).first.flatMap { DeltaSeconds.read($0) }
    }
}

/// Whole seconds (RFC 9111, 1.2.2).
private enum DeltaSeconds {
    /// Greater numbers count as this one.
    private static let greatest = 1 << 31

    static func read(_ text: some StringProtocol) -> Int? {
        let words = text.split(separator: " ")
        guard words.count == 1, let digits = words.first?.utf8,
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return digits.reduce(0) { min(greatest, $0 * 10 + Int($1 - UInt8(ascii: "0"))) }
    }
}

/// The directives of `Cache-Control` about the lifetime of a response.
private struct CacheDirectives {
    /// The lifetime in a shared cache in seconds; nil if not stated. Zero and `no-cache` do not count: delivery
    /// networks have their own lifetimes, and pass these on to browsers.
    var lifetime: Int?
    /// The seconds after the lifetime in which it is served while another is fetched.
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
    /// In order; the value is empty if absent.
    var parameters: [(key: String, value: String)] = []

    private static let known = ["hit", "fwd", "fwd-status", "ttl", "stored", "collapsed", "age", "detail"]
    private static let longestWord = 40
    /// The longest header that is parsed, in bytes.
    private static let longestText = 2048

    private func value(_ key: String) -> String? { parameters.last { $0.key == key }?.value }

    var age: Int? { value("age").flatMap { DeltaSeconds.read($0) } }

    var isOffline: Bool {
        ["offline", "stale-if-error", "source-offline"].contains(value("detail"))
            || value("fwd-status").flatMap { Int($0) } ?? 0 >= 500
    }

    /// Whether the cache served the response within its lifetime. A Larder states that for its own memory only.
    var isFresh: Bool { name != "larder" && value("hit") == "" && value("ttl").flatMap { Int($0) } ?? -1 >= 0 }

    /// A Larder has subtracted the time since freshness ended from its stale-while-revalidate.
    func isStale(leeway: Int) -> Bool {
        if value("detail") == "source-stale" { return true }
        guard let ttl = value("ttl").flatMap({ Int($0) }), ttl < 0 else { return false }
        return name == "larder" ? leeway == 0 : ttl < -leeway
    }

    /// Parses a list of structured fields (RFC 9651); empty if invalid.
    static func list(_ text: String) -> [CacheStatusEntry] {
        guard text.utf8.count <= longestText else { return [] }
        var reader = FieldReader(rest: text.utf8[...])
        var entries: [CacheStatusEntry] = []
        while true {
            guard let name = reader.item() else { return [] }
            var entry = CacheStatusEntry(name: name)
            while reader.skip(";") {
                guard let key = reader.word() else { return [] }
                guard reader.skip("=") else {
                    entry.parameters.append((key, ""))
                    continue
                }
                guard let value = reader.item() else { return [] }
                entry.parameters.append((key, value))
            }
            entries.append(entry)
            if reader.isAtEnd { return entries }
            guard reader.skip(",") else { return [] }
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

/// Parses structured fields piece by piece.
private struct FieldReader {
    var rest: Substring.UTF8View

    var isAtEnd: Bool { rest.isEmpty }

    /// Consumes a separator and surrounding blanks.
    mutating func skip(_ separator: Unicode.Scalar) -> Bool {
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
