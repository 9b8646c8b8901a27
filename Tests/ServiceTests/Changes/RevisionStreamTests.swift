import Concurrency
import JSON
import Products
import ServingTestSupport
import TestSupport
import Testing

/// Reads a stream of events over a socket.
final class EventReader: @unchecked Sendable {
    /// An event; a comment has nothing but its text.
    struct Event: Sendable {
        var id: String?
        var name: String?
        var data: JSONObject = [:]

        init(_ text: Substring) throws {
            for line in text.split(separator: "\n") {
                let halves = line.split(separator: ": ", maxSplits: 1).map(String.init)
                guard halves.count == 2 else { continue }
                switch halves[0] {
                case "id": id = halves[1]
                case "event": name = halves[1]
                default: data = try #require(try JSONParser().parse(Array(halves[1].utf8)).object)
                }
            }
        }

        var isComment: Bool { id == nil && name == nil && data.isEmpty }

        func ids(_ list: String) -> [String] { (data[list]?.array ?? []).compactMap(\.string) }
    }

    private let client: RawClient
    private var text = ""

    /// Opens a stream; records an issue when the answer is none.
    convenience init(_ service: OrderedService, _ fields: String = "", target: String = "/changes") async throws {
        try await self.init(port: service.port, fields, target: target)
    }

    init(port: Int, _ fields: String = "", target: String = "/changes") async throws {
        client = try await BackgroundThread.run {
            let client = try RawClient(port: port)
            try client.send("GET \(target) HTTP/1.1\r\nHost: shop\r\nAccept: text/event-stream\r\n\(fields)\r\n")
            let head = try client.receive(bodyless: true)
            #expect(head.status == 200 && head["Content-Type"] == "text/event-stream")
            #expect(head["Cache-Control"] == "no-store" && head["Transfer-Encoding"] == "chunked")
            return client
        }
    }

    /// The next event; nil when the stream has ended.
    func next() async throws -> Event? {
        try await BackgroundThread.run { [self] in
            while true {
                if let end = text.firstRange(of: "\n\n") {
                    defer { text.removeSubrange(..<end.upperBound) }
                    return try Event(text[..<end.lowerBound])
                }
                guard let chunk = try chunk() else { return nil }
                text += chunk
            }
        }
    }

    func leave() { client.close() }

    /// - Returns: nil for the last one.
    private func chunk() throws -> String? {
        var size = ""
        while !size.hasSuffix("\r\n") { size += String(decoding: try client.receive(count: 1), as: UTF8.self) }
        let count = try #require(Int(size.dropLast(1), radix: 16))
        let bytes = try client.receive(count: count + 2)
        return count == 0 ? nil : String(decoding: bytes.dropLast(2), as: UTF8.self)
    }
}

@Suite(.timeLimit(.minutes(2)))
struct RevisionStreamTests {
    /// Lets the time between two polls pass once the feed waits for it.
    private func look(_ service: OrderedService, after time: Duration = .seconds(2)) async {
        await service.pauses.waitForSleepers()
        service.pauses.advance(by: time)
    }

    @Test func `every client sees the present, and then each revision once`() async throws {
        try await OrderedService.with { service in
            try await service.put(["Mug", "Cup", "Jar"])
            var last = try await HeldCatalogue(of: service).revision
            let readers = [try await EventReader(service), try await EventReader(service)]
            for reader in readers {
                let present = try #require(try await reader.next())
                #expect(present.id == last && present.name == "revision")
                #expect(present.data["revision"]?.string == last && present.data["since"] == .null)
            }
            for names in [["Mug", "Jug"], ["Mug", "Jug", "Tin", "Pot"], ["Mug"]] {
                await look(service)
                try await service.put(names)
                let revision = try await HeldCatalogue(of: service).revision
                await look(service)
                await look(service)
                for reader in readers {
                    let event = try #require(try await reader.next())
                    #expect(event.id == revision && event.name == "revision")
                    #expect(event.data["since"]?.string == last)
                    let ids = ["added", "changed", "removed"].map { event.ids($0) }
                    switch names.count {
                    case 2: #expect(ids == [[], ["2"], ["3"]])
                    case 4: #expect(ids == [["3", "4"], [], []])
                    default: #expect(ids == [[], [], ["2", "3", "4"]])
                    }
                }
                last = revision
            }
            for reader in readers { reader.leave() }
        }
    }

    @Test(arguments: [true, false]) func `a client that comes back gets one difference`(byHeader: Bool) async throws {
        try await OrderedService.with { service in
            try await service.put(["Mug", "Cup"])
            let first = try await HeldCatalogue(of: service).revision
            try await service.put(["Mug", "Jug"])
            try await service.put(["Mug", "Jug", "Tin"])
            let present = try await HeldCatalogue(of: service).revision
            let reader =
                byHeader
                ? try await EventReader(service, "Last-Event-ID: \(first)\r\n")
                : try await EventReader(service, target: "/changes?since=\(first)")
            let event = try #require(try await reader.next())
            #expect(event.id == present && event.name == "revision" && event.data["since"]?.string == first)
            #expect(["added", "changed", "removed"].map { event.ids($0) } == [["3"], ["2"], []])
            reader.leave()
            let current = try await EventReader(service, "Last-Event-ID: \(present)\r\n")
            #expect(try await current.next()?.isComment == true)
            current.leave()
        }
    }

    @Test func `a client whose revision is not kept is told of the gap`() async throws {
        try await OrderedService.with { service in
            try await service.put(["Mug"])
            let present = try await HeldCatalogue(of: service).revision
            let reader = try await EventReader(service, "Last-Event-ID: none\r\n")
            let event = try #require(try await reader.next())
            #expect(event.name == "gap" && event.id == present)
            #expect(event.data["revision"]?.string == present && event.data["whole"] == "/products")
            reader.leave()
        }
    }

    @Test func `a stream that comes before the first catalogue has a comment, and the catalogue when it is there`()
        async throws
    {
        try await OrderedService.with(isEmpty: true) { service in
            let new = try await EventReader(service)
            let old = try await EventReader(service, "Last-Event-ID: none\r\n")
            for reader in [new, old] { #expect(try await reader.next()?.isComment == true) }
            await look(service, after: .seconds(15))
            for reader in [new, old] { #expect(try await reader.next()?.isComment == true) }
            await service.pauses.waitForSleepers()
            try service.shelf.publish(["Mug"])
            #expect(try await service.order("/refresh?force=1").status == 200)
            let revision = try await HeldCatalogue(of: service).revision
            await look(service, after: .seconds(2))
            let (first, second) = (try await new.next(), try await old.next())
            #expect(first?.name == "revision" && first?.id == revision && first?.data["since"] == .null)
            #expect(second?.name == "gap" && second?.id == revision)
            await look(service)
            try await service.put(["Mug", "Cup"])
            await look(service)
            for reader in [new, old] {
                let event = try await reader.next()
                #expect(event?.name == "revision" && event?.ids("added") == ["2"])
                reader.leave()
            }
            try await eventually { service.pauses.sleepers == 0 }
        }
    }

    @Test func `a stream that has had no catalogue is not sent what has changed for another one`() async throws {
        try await OrderedService.with(isEmpty: true) { service in
            let early = try await EventReader(service)
            #expect(try await early.next()?.isComment == true)
            await service.pauses.waitForSleepers()
            try service.shelf.publish(["Mug"])
            #expect(try await service.order("/refresh?force=1").status == 200)
            let late = try await EventReader(service)
            #expect(try await late.next()?.data["since"] == .null)
            try await service.put(["Mug", "Cup"])
            let present = try #require(try await late.next())
            #expect(present.data["since"] != .null && present.ids("added") == ["2"])
            var event = try #require(try await early.next())
            #expect(event.name == "revision" && event.data["since"] == .null && event.ids("added") == [])
            while event.id != present.id {
                let next = try #require(try await early.next())
                #expect(next.data["since"]?.string == event.id)
                event = next
            }
            for reader in [early, late] { reader.leave() }
            try await eventually { service.pauses.sleepers == 0 }
        }
    }

    @Test(arguments: [
        "top", "{ type: merge, duplicates: first, providers: [top, { type: memory, ttl: 1h, upstream: gate }] }",
    ]) func `a revision is sent when it is served, and not at the next look`(serve: String) async throws {
        try await OrderedService.with(serve: serve) { service in
            try await service.put(["Mug"])
            let reader = try await EventReader(service)
            #expect(try await reader.next()?.name == "revision")
            for names in [["Cup"], ["Cup", "Jar"], ["Jug"]] {
                await service.pauses.waitForSleepers()
                try await service.put(names)
                #expect(try await reader.next()?.name == "revision")
            }
            reader.leave()
        }
    }

    @Test func `clients that come and go leave nothing behind with the catalogue`() async throws {
        try await OrderedService.with { service in
            try await service.put(["Mug"])
            for _ in 0..<40 {
                let reader = try await EventReader(service)
                _ = try await reader.next()
                await service.pauses.waitForSleepers()
                reader.leave()
                try await eventually { service.pauses.sleepers == 0 }
            }
            let publication = try #require(try await service.publication)
            // At most one of each row of leases.
            #expect((1...8).contains(publication.handlers))
        }
    }

    @Test func `a stream without news is never silent for more than fifteen seconds`() async throws {
        try await OrderedService.with { service in
            try await service.put(["Mug"])
            let reader = try await EventReader(service)
            #expect(try await reader.next()?.name == "revision")
            await look(service, after: .seconds(12))
            await look(service)
            try await service.put(["Cup"])
            await look(service)
            #expect(try await reader.next()?.name == "revision")
            await look(service, after: .seconds(15))
            #expect(try await reader.next()?.isComment == true)
            reader.leave()
        }
    }

    @Test func `the graph is looked at only while there are streams`() async throws {
        try await OrderedService.with { service in
            try await service.put(["Mug"])
            #expect(service.pauses.sleepers == 0)
            let reader = try await EventReader(service)
            _ = try await reader.next()
            await service.pauses.waitForSleepers()
            reader.leave()
            try await eventually { service.pauses.sleepers == 0 }
            try await service.put(["Cup"])
            let again = try await EventReader(service)
            let present = try await HeldCatalogue(of: service).revision
            #expect(try await again.next()?.id == present)
            again.leave()
        }
    }

    @Test func `streams end with their edition`() async throws {
        try await OrderedService.with { service in
            try await service.put(["Mug"])
            let reader = try await EventReader(service)
            let id = try #require(try await reader.next()?.id)
            try await service.reload()
            #expect(try await reader.next() == nil)
            let again = try await EventReader(service, "Last-Event-ID: \(id)\r\n")
            #expect(try await again.next()?.isComment == true)
            again.leave()
        }
    }

    @Test(arguments: [
        ("text/event-stream, */*;q=0.1", true), ("application/json, text/event-stream;q=0.5", false),
        ("*/*", false), ("text/event-stream;q=0", false),
    ])
    func `a stream is for clients that ask for one`(accept: String, isStream: Bool) async throws {
        try await OrderedService.with { service in
            try await service.put(["Mug"])
            let revision = try await HeldCatalogue(of: service).revision
            let head = try await service.head("/changes?since=\(revision)", "Accept: \(accept)\r\n")
            #expect(head["Content-Type"] == (isStream ? "text/event-stream" : "application/json"))
        }
    }
}
