import FileSystem
import Networking
import TestSupport
import Testing

@testable import Service

@Suite("A data directory that cannot be used", .timeLimit(.minutes(1)))
struct DataDirectoryTests {
    @Test("The service serves, and warns once of the store and once of the events")
    func belowAFile() async throws {
        let directory = try TemporaryDirectory()
        try Files.create(directory("file"), [])
        try await Stand.with {
            $0.data = directory("file/data")
        } _: { stand in
            for _ in 0..<4 {
                let response = try await stand.get("/products")
                #expect(response.status == 200)
                #expect(response.headers["Age"] == "0")
                stand.clock.advance(by: .seconds(40))
            }
            try await stand.stop()
            #expect(stand.log.count(of: "warning: products are served but cannot be saved") == 1)
            #expect(stand.log.count(of: "warning: analytics sink fails, events are dropped") == 1)
            #expect(stand.log.lines.filter { $0.hasPrefix("error") } == [])
        }
    }

    @Test("With the upstream gone too, memory still serves")
    func withoutUpstream() async throws {
        let directory = try TemporaryDirectory()
        try Files.create(directory("file"), [])
        try await Stand.with {
            $0.data = directory("file/data")
        } _: { stand in
            let good = try await stand.get("/products")
            try await stand.shop.fail("down")
            stand.clock.advance(by: .seconds(40))
            let answer = try await stand.get("/products")
            #expect(answer.status == 200)
            #expect(answer.body == good.body)
            #expect(answer.headers["Age"] == "40")
        }
    }
}
