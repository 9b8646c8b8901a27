import TestSupport

/// An upstream on a socket of its own that is good until it is told to misbehave.
///
/// It ends each connection after one answer. So a client never meets a kept connection that is gone, for which it would
/// ask once more, and each request that is counted is one that the graph has decided on.
final class FaultyUpstream: Sendable {
    private let fault = Shared<Fault?>(nil)
    private let upstream: ScriptedUpstream
    private let trickle: Duration

    /// - Parameter trickle: the pause between the twenty pieces of a slow answer.
    init(trickle: Duration) throws {
        self.trickle = trickle
        // Not a port of the system's choice, which another test could be given while nobody listens on it.
        upstream = ScriptedUpstream(listeningOn: try FreePort.pick()) { [fault] connection in
            guard connection.readRequest() != nil else { return }
            Self.answer(on: connection, fault: fault.withLock { $0 }, trickle: trickle)
        }
    }

    /// Host and port.
    var address: String { "127.0.0.1:\(upstream.port)" }

    /// How many requests it has read.
    var requests: Int { upstream.requestHeads.count }

    /// Misbehaves from now on.
    func begin(_ fault: Fault) async {
        self.fault.withLock { $0 = fault }
        guard fault == .refused else { return }
        upstream.stop()
        await upstream.waitUntilStopped()
    }

    /// Returns when nothing is under way that could still become a request.
    func settle() async {
        await upstream.waitUntilIdle()
    }

    func close() {
        upstream.stop()
    }

    private static func answer(on connection: UpstreamConnection, fault: Fault?, trickle: Duration) {
        let good = Mugs.json(Mugs.all)
        switch fault {
        case nil, .refused, .dns: respond(good, on: connection)
        case .reset: connection.resetAtEnd()
        case .hang: connection.waitForClose()
        case .slow:
            connection.write(head(length: good.utf8.count))
            connection.trickle(good, pieces: 20, every: trickle)
        case .notFound: respond("{}", status: "404 Not Found", on: connection)
        case .tooManyRequests: respond("{}", status: "429 Too Many Requests", on: connection)
        case .serverError: respond("{}", status: "500 Internal Server Error", on: connection)
        case .unavailable: respond("{}", status: "503 Service Unavailable", on: connection)
        case .cutOff: connection.write(head(length: good.utf8.count) + good.prefix(good.count / 2))
        case .html: respond("<!doctype html><title>Back soon</title>", type: "text/html", on: connection)
        case .empty: respond("[]", on: connection)
        case .shrunken: respond(Mugs.json(Mugs.few), on: connection)
        case .invalid: respond(Mugs.unpriced, on: connection)
        }
    }

    private static func respond(
        _ body: String, status: String = "200 OK", type: String = "application/json", on connection: UpstreamConnection
    ) {
        connection.write(head(status: status, type: type, length: body.utf8.count) + body)
    }

    private static func head(
        status: String = "200 OK", type: String = "application/json", length: Int
    ) -> String {
        "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nContent-Length: \(length)\r\nConnection: close\r\n\r\n"
    }
}
