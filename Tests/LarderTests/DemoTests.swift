import TestSupport
import FileSystem
import Glibc
import Networking
import JSON
import Testing

@testable import larder

@Suite(.timeLimit(.minutes(1)))
struct DemoTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func `upstream and service run together; with the upstream down the service answers still`() async throws {
        let shopPort = try FreePort.pick()
        let settings = ProcessSettings(upstream: "127.0.0.1:\(shopPort)")
        let demo = try LarderProcess(
            ["demo", "--config", try settings.write(in: directory), "--upstream", "127.0.0.1:\(shopPort)"],
            in: directory)
        defer { demo.signal(SIGKILL) }
        let port = try await demo.logged("serving", "port")
        #expect(demo.error.contains("curl -i localhost:\(port)/products\n"))
        #expect(demo.error.contains("curl -X PUT 'localhost:\(shopPort)/_fault?mode=down'"))
        try await Visitor.with { visitor in
            let before = try await visitor.get(port, "/products")
            #expect(before.json?["total"] == 100)
            #expect(try await visitor.get(shopPort, "/_fault?mode=down", method: "PUT").status == 200)
            let after = try await visitor.get(port, "/products")
            #expect(after.status == 200)
            #expect(after.body == before.body)
        }
        demo.signal(SIGTERM)
        #expect(await demo.exit() == .init(status: 0, signal: nil))
    }

    @Test func `the service asks the upstream where it listens, whatever LARDER_UPSTREAM says`() async throws {
        let config = try ProcessSettings(upstream: "${LARDER_UPSTREAM}").write(in: directory)
        let demo = try LarderProcess(
            ["demo", "--config", config, "--upstream", "127.0.0.1:0"],
            environment: ["LARDER_UPSTREAM": "127.0.0.1:\(try FreePort.pick())"], in: directory)
        defer { demo.signal(SIGKILL) }
        let port = try await demo.logged("serving", "port")
        try await Visitor.with { visitor in
            let answer = try await visitor.get(port, "/products")
            #expect(answer.json?["total"] == 100)
        }
    }

    @Test func `its own config needs nothing from the environment`() async throws {
        let result = try await LarderProcess.run(
            ["check", "--config", "\(Repository.root)/config/demo.yaml"], in: directory)
        #expect(result.status == 0)
    }

    @Test func `its own config is built in, for a program without the file`() async throws {
        let file = try Files.read("\(Repository.root)/config/demo.yaml")
        #expect(Demo.builtInConfig == String(decoding: file, as: UTF8.self))
        // It gets as far as the upstream's port, which nothing can have.
        let result = try await LarderProcess.run(["demo", "--upstream", "192.0.2.1:1"], in: directory)
        #expect(result.status == 1 && result.error.hasPrefix("larder: ") && !result.error.contains("no such file"))
    }

    @Test func `faults are switched while it runs, and counted`() async throws {
        let (shop, port) = try await LarderProcess.upstream(in: directory)
        defer { shop.signal(SIGKILL) }
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
}
