import TestSupport
import FileSystem
import Glibc
import Networking
import Testing

@Suite("larder upstream", .timeLimit(.minutes(1)))
struct UpstreamTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test("Faults are switched while it runs, and counted")
    func faults() async throws {
        let shop = try LarderProcess(["upstream", "--listen", "127.0.0.1:0"], in: directory)
        defer { shop.signal(SIGKILL) }
        let port = try await shop.logged("practice upstream serving", "port")
        try await Visitor.with { visitor in
            #expect(try await visitor.get(port, "/products").status == 200)
            let switched = try await visitor.get(port, "/_fault?mode=status=503", method: "PUT")
            #expect(switched.text == "{\"mode\":\"status=503\",\"requests\":1}\n")
            #expect(try await visitor.get(port, "/products").status == 503)
            let unknown = try await visitor.get(port, "/_fault?mode=sulk", method: "PUT")
            #expect(unknown.status == 400)
            #expect(unknown.text.contains("none down reset hang slow status=503 truncate html empty shrink"))
            #expect(try await visitor.get(port, "/_fault").text == "{\"mode\":\"status=503\",\"requests\":2}\n")
        }
        shop.signal(SIGTERM)
        #expect(await shop.exit() == .init(status: 0, signal: nil))
    }

    @Test("A catalogue from a file is served as it is")
    func catalogue() async throws {
        try Files.create(directory("shop.json"), Array(#"{"products":[{"id":"1","price":1.50}]}"#.utf8))
        let shop = try LarderProcess(
            ["upstream", "--listen", "127.0.0.1:0", "--catalogue", "shop.json"], in: directory)
        defer { shop.signal(SIGKILL) }
        let port = try await shop.logged("practice upstream serving", "port")
        try await Visitor.with { visitor in
            let served = try await visitor.get(port, "/products").text
            #expect(served == #"[{"id":"1","price":1.50}]"#)
        }
    }
}
