import TestSupport

/// An upstream whose catalogue is another edition at each request, and that answers only while its gate is open.
final class GatedUpstream: Sendable {
    let gate = Gate()
    private let upstream: ScriptedUpstream

    init() {
        let editions = Shared(0)
        upstream = ScriptedUpstream { [gate] connection in
            while connection.readRequest() != nil {
                let edition = editions.withLock { edition in
                    edition += 1
                    return edition
                }
                gate.pass()
                connection.respond(headers: "Content-Type: application/json\r\n", body: Self.catalogue(edition))
            }
        }
    }

    /// Host and port.
    var address: String { "127.0.0.1:\(upstream.port)" }

    /// How many requests it has read.
    var requests: Int { upstream.requestHeads.count }

    /// How many connections it was asked on. Who breaks a request off needs another one for the next.
    var connections: Int { upstream.acceptedCount }

    /// Returns as soon as it has read so many requests.
    func wait(forRequests count: Int) async {
        await upstream.wait { events in
            events.count { if case .request = $0 { true } else { false } } >= count
        }
    }

    func close() {
        upstream.stop()
        gate.open()
    }

    /// What is in every body that tells of an edition.
    static func name(of edition: Int) -> String { "Mug of edition \(edition)" }

    private static func catalogue(_ edition: Int) -> String {
        let products = (1...100).map { number in
            #"""
            {"type":"physical","id":"\#(number)","name":"\#(name(of: edition))",\#
            "price":{"amount":1.5,"currency":"EUR"}}
            """#
        }
        return "[" + products.joined(separator: ",") + "]"
    }
}
