internal import Hashing
internal import FoundationEssentials
internal import Text

/// A key that clients present, known by its digest alone.
package struct APIKey: Sendable, Hashable {
    /// The resources that a key may be limited to.
    package enum Scope: String, Sendable, CaseIterable {
        case products, changes

        var bit: UInt8 { self == .products ? 1 : 2 }
    }

    package let name: String
    let digest: SHA256Digest
    /// The expiry in seconds since 1970; nil if the key does not expire.
    package let end: Int64?
    let scopes: Set<Scope>
}

/// The keys of a file: one a line, as `till:sha256-HEX`, then optionally a colon and the day on which it ends, in UTC,
/// and another with its scopes, as in `till:sha256-HEX:2027-01-01:products,changes`. Empty lines and lines that begin
/// with `#` are skipped.
package struct APIKeyList: Sendable, Equatable {
    /// The fault of a line. Never contains its content.
    package struct Fault: Error, Hashable, CustomStringConvertible {
        package let line: Int
        package let reason: String

        package var description: String { "line \(line): \(reason)" }
    }

    private static let most = 10_000
    private static let prefix = "sha256-"
    private(set) var keys: [APIKey] = []

    package init(parsing text: String) throws(Fault) {
        var names: [String: Int] = [:]
        var digests: [SHA256Digest: Int] = [:]
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let line = line.drop(while: \.isWhitespace)
            if line.isEmpty || line.hasPrefix("#") { continue }
            let number = index + 1
            let key = try Self.key(line, number)
            if let other = names.updateValue(number, forKey: key.name) {
                throw Fault(line: number, reason: "line \(other) has a key of this name")
            }
            if let other = digests.updateValue(number, forKey: key.digest) {
                throw Fault(line: number, reason: "line \(other) has this key")
            }
            keys.append(key)
            if keys.count > Self.most { throw Fault(line: number, reason: "more than \(Self.most) keys") }
        }
        if keys.isEmpty { throw Fault(line: 1, reason: "there is no key; write one as NAME:sha256-HEX") }
    }

    private static func key(_ line: Substring, _ number: Int) throws(Fault) -> APIKey {
        func fault(_ reason: String) -> Fault { Fault(line: number, reason: reason) }
        var parts = line.split(separator: ":", omittingEmptySubsequences: false).map { $0.trimming(\.isWhitespace) }
        guard (2...4).contains(parts.count) else {
            throw fault("a key is NAME:sha256-HEX, with the day of its end and its scopes behind further colons")
        }
        parts += Array(repeating: "", count: 4 - parts.count)
        guard isName(parts[0]) else {
            throw fault("its name is not 1 to 64 letters, digits, \"-\", \"_\" and \".\"")
        }
        guard parts[1].hasPrefix(prefix), let digest = SHA256Digest(hexDigits: parts[1].dropFirst(prefix.count)) else {
            throw fault("its digest is not sha256- and 64 hexadecimal digits; printf %s KEY | sha256sum prints them")
        }
        if digest == SHA256Digest(of: []) { throw fault("its digest is that of an empty key") }
        var end: Int64?
        if !parts[2].isEmpty {
            end = day(String(parts[2]))
            if end == nil { throw fault("its end is not a day such as 2027-01-01") }
        }
        let scopes = parts[3].split(separator: ",").map { APIKey.Scope(rawValue: String($0.trimming(\.isWhitespace))) }
        guard !scopes.contains(nil) else { throw fault("its scopes are not of products and changes") }
        return APIKey(
            name: String(parts[0]), digest: digest, end: end,
            scopes: scopes.isEmpty ? Set(APIKey.Scope.allCases) : Set(scopes.compactMap(\.self)))
    }

    private static func isName(_ text: Substring) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                byte | 0x20 &- 97 < 26 || byte &- 48 < 10 || "-_.".utf8.contains(byte)
            }
    }

    private static func day(_ text: String) -> Int64? {
        guard text.utf8.count == 10 else { return nil }
        let style = Date.ISO8601FormatStyle().year().month().day()
        guard let day = try? Date(text, strategy: style), day.formatted(style) == text else { return nil }
        return Int64(day.timeIntervalSince1970)
    }
}

extension Substring {
    fileprivate func trimming(_ isTrimmed: (Character) -> Bool) -> Substring {
        let rest = drop(while: isTrimmed)
        return rest.dropLast(rest.reversed().prefix(while: isTrimmed).count)
    }
}

extension Set<APIKey.Scope> {
    var bits: UInt8 { reduce(0) { $0 | $1.bit } }
}
