import Glibc
import JSON
import Networking
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SeedExampleTests {
    @Test
    func `each GET is an event of the network, and of the store once the upstream has been killed; nothing else is`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let (shop, port) = try await LarderProcess.upstream(in: directory)
        defer { shop.signal(SIGKILL) }
        let settings = ["LARDER_UPSTREAM": "127.0.0.1:\(port)"]
        try await ExampleService.with(.seed, upstreams: [], settings: settings, in: directory) { service in
            var online: [HTTPClientResponse] = []
            for _ in 0..<5 { online.append(try await service.get()) }
            #expect(online.map(\.status) == Array(repeating: 200, count: 5))
            #expect(online.allSatisfy { $0.json?["total"] == 100 })

            shop.signal(SIGKILL)
            #expect(await shop.exit() == .init(status: nil, signal: SIGKILL))
            try await eventually {
                try await service.operators("/metrics").text.contains("\nlarder_reachable{monitor=\"upstream\"} 0\n")
            }
            for _ in 0..<5 {
                let offline = try await service.get()
                #expect(offline.status == 200)
                #expect(offline.body == online.last?.body)
            }
            let events = try await service.events().map { $0["event"]?.string }
            #expect(
                events == Array(repeating: "products_network_hit", count: 5)
                    + Array(repeating: "products_cache_hit", count: 5))
        }
    }
}
