package import Networking
package import Text

/// The settings of connections to a Redis server.
package struct RedisSettings: Sendable {
    package var url: RedisURL
    /// Overrides the password in the URL; read again at each connect.
    package var password: Credential?
    /// PEM files, read again at each connect. Without a file of roots the system's are trusted.
    package var caFile: String?
    package var certificateFile: String?
    package var keyFile: String?
    /// The limit of a reply in bytes; a longer one ends the connection.
    package var maxReply: Int
    /// The name of the connections in `CLIENT LIST`; without blanks.
    package var clientName: String

    package init(
        url: RedisURL, password: Credential? = nil, caFile: String? = nil, certificateFile: String? = nil,
        keyFile: String? = nil, maxReply: Int = 65 << 20, clientName: String = "larder"
    ) {
        (self.url, self.password, self.caFile) = (url, password, caFile)
        (self.certificateFile, self.keyFile) = (certificateFile, keyFile)
        (self.maxReply, self.clientName) = (maxReply, clientName)
    }
}

/// The URL of a Redis server: `redis://user:password@host:port/database`, or `rediss://` for TLS.
package struct RedisURL: Sendable {
    package let isTLS: Bool
    /// Without brackets around an IPv6 address.
    package let host: String
    package let port: Int
    package let database: Int
    /// nil for Redis' default user.
    package let username: String?
    package let password: Secret?

    /// - Throws: `RedisURLError` with a sentence without the password.
    package init(_ text: String) throws(RedisURLError) {
        guard let mark = text.firstRange(of: "://") else { throw .scheme("") }
        switch text[..<mark.lowerBound].lowercased() {
        case "redis": isTLS = false
        case "rediss": isTLS = true
        case let other: throw .scheme(other.utf8.allSatisfy(\.isAlphanumeric) ? other : "")
        }
        let rest = text[mark.upperBound...]
        guard rest.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { throw .characters }
        guard !rest.contains(where: { "?#".contains($0) }) else { throw .query }
        let authority = rest.prefix { $0 != "/" }
        let at = authority.lastIndex(of: "@")
        (username, password) = try at.map { at throws(RedisURLError) in try Self.user(authority[..<at]) } ?? (nil, nil)
        (host, port) = try Self.place(at.map { authority[authority.index(after: $0)...] } ?? authority)
        let path = rest[authority.endIndex...].dropFirst()
        guard !path.contains("@") else { throw .query }
        guard path.isEmpty || path.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int(path.isEmpty ? "0" : path)
        else { throw .database(String(path)) }
        database = number
    }

    private static func user(_ text: Substring) throws(RedisURLError) -> (String?, Secret?) {
        let name = text.prefix { $0 != ":" }
        guard let username = PercentEncoding.decode(name.utf8) else { throw .encoding("user") }
        guard let password = PercentEncoding.decode(text[name.endIndex...].dropFirst().utf8) else {
            throw .encoding("password")
        }
        return (username.isEmpty ? nil : username, password.isEmpty ? nil : Secret(password))
    }

    private static func place(_ text: Substring) throws(RedisURLError) -> (String, Int) {
        var host = text.prefix { $0 != ":" }
        var rest = text[host.endIndex...]
        if text.hasPrefix("[") {
            guard let bracket = text.firstIndex(of: "]") else { throw .host }
            (host, rest) = (text[..<bracket].dropFirst(), text[text.index(after: bracket)...])
            guard host.contains(":"), host.utf8.allSatisfy({ $0.hexValue != nil || ":.%".utf8.contains($0) }) else {
                throw .host
            }
        } else {
            guard host.utf8.allSatisfy({ $0.isAlphanumeric || "-._".utf8.contains($0) }) else { throw .host }
        }
        guard !host.isEmpty else { throw .host }
        guard let colon = rest.first else { return (String(host), 6379) }
        guard colon == ":", let port = UInt16(rest.dropFirst()), port > 0 else { throw .port }
        return (String(host), Int(port))
    }
}

extension RedisURL: CustomStringConvertible {
    /// The URL without user and password.
    package var description: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return "\(isTLS ? "rediss" : "redis")://\(name):\(port)/\(database)"
    }
}

/// The reason why a text is not a URL of a Redis server. Never contains a password.
package enum RedisURLError: Error, Sendable, Hashable, CustomStringConvertible {
    case scheme(String)
    case characters
    case query
    case encoding(String)
    case host
    case port
    case database(String)

    package var description: String {
        switch self {
        case .scheme(""): "it must begin with redis:// or rediss://"
        case .scheme(let scheme): "it must begin with redis:// or rediss://, not with \(scheme)://"
        case .characters: "it holds blanks or characters beyond ASCII; percent-encode them"
        case .query: "it must not have a query or a fragment; percent-encode ?, # and / in a password"
        case .encoding(let part): "its \(part) is not properly percent-encoded"
        case .host: "it has no valid host; write an IPv6 address in brackets"
        case .port: "its port must be a number from 1 to 65535"
        case .database(let text): "its path must be the number of a database, such as /0, not /\(text)"
        }
    }
}
