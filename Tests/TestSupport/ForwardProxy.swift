internal import FoundationEssentials
internal import Glibc

/// A proxy on a loopback port: it makes connections by CONNECT to other loopback ports, and answers other requests itself.
public final class ForwardProxy: Sendable {
    private let upstream: ScriptedUpstream

    /// - Parameters:
    ///   - credentials: `user:password`, without which it answers 407; nil for none.
    ///   - refusal: the status line's end with which it answers every CONNECT; nil to connect.
    public init(credentials: String? = nil, refusal: String? = nil) {
        let wanted = credentials.map { "Basic \(Data($0.utf8).base64EncodedString())" }
        upstream = ScriptedUpstream { connection in
            while let head = connection.readRequest() {
                let words = head.split(separator: " ")
                let given = head.split(separator: "\r\n").first { $0.hasPrefix("Proxy-Authorization: ") }
                guard wanted == nil || given?.dropFirst("Proxy-Authorization: ".count) == wanted?[...] else {
                    connection.respond(status: "407 Proxy Authentication Required")
                    continue
                }
                guard words[0] == "CONNECT" else {
                    connection.respond(body: "by proxy \(words[1])")
                    continue
                }
                guard refusal == nil, let port = words[1].split(separator: ":").last.flatMap({ Int($0) }) else {
                    return connection.respond(status: refusal ?? "400 Bad Request")
                }
                connection.write("HTTP/1.1 200 Connection established\r\n\r\n")
                return connection.relay(to: port)
            }
        }
    }

    /// The port on 127.0.0.1.
    public var port: Int { upstream.port }
    /// The heads of all requests so far.
    public var requestHeads: [String] { upstream.requestHeads }

    /// Stops listening and closes all connections.
    public func stop() { upstream.stop() }
}
