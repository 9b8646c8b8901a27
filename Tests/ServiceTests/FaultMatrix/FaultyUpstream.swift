import Products
import TestSupport
import Testing

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

    /// The number of requests read.
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

/// The faults of an upstream, which are the rows of the matrix.
enum Fault: String, Sendable, CaseIterable, CustomTestStringConvertible {
    /// The port is closed.
    case refused
    /// The host name is unknown.
    case dns = "DNS"
    /// It resets the connection instead of answering.
    case reset
    /// It never answers.
    case hang
    /// Its answer trickles in and is whole, but after the timeout of a `timeout` decorator.
    case slow
    case notFound = "404"
    case tooManyRequests = "429"
    case serverError = "500"
    case unavailable = "503"
    /// Its answer ends in the middle.
    case cutOff = "cut-off"
    /// It answers with a page for people.
    case html = "HTML"
    /// It answers with a catalogue without products.
    case empty
    /// It answers with a catalogue that lost most of its products.
    case shrunken
    /// It answers with JSON that is no catalogue.
    case invalid

    var testDescription: String { rawValue }

    /// Takes a time limit to notice.
    var isEndless: Bool { self == .hang }
}

/// The catalogues of the matrix: mugs, numbered from 1.
enum Mugs {
    /// The number of mugs on a good day.
    static let all = 10
    /// The number of mugs in the shrunken catalogue.
    static let few = 4

    /// The revisions of these catalogues, the same on every machine and for ever.
    private static let revisions = [
        "496bcb75fb23dfc7c013acaa28dddd35": all,
        "342f3fca59a921533dd19c67f9885016": few,
        "4f53cda18c2baa0c0354bb5f9a3ecbe5": 0,
    ]

    /// A catalogue as an upstream sends it.
    static func json(_ count: Int) -> String {
        "[" + (1...all).prefix(count).map { item($0) }.joined(separator: ",") + "]"
    }

    /// A catalogue whose last mug has no price.
    static let unpriced = "[" + ((1..<all).map { item($0) } + [item(all, price: "")]).joined(separator: ",") + "]"

    /// A snapshot in words: `10 mugs from network, 0 s old`.
    static func description(of snapshot: ProductsSnapshot, age: Duration) -> String {
        let count = revisions[snapshot.revision]
        let isWhole = snapshot.products.map(\.id) == (1...all).prefix(count ?? 0).map { "\($0)" }
        let what = count.flatMap { isWhole ? "\($0) mugs" : nil } ?? "revision \(snapshot.revision)"
        return "\(what) from \(snapshot.origin), \(age.components.seconds) s old"
    }

    private static func item(
        _ number: Int, price: String = #","price":{"amount":1.5,"currency":"EUR"}"#
    ) -> String {
        #"{"type":"physical","id":"\#(number)","name":"Mug \#(number)"\#(price)}"#
    }
}
