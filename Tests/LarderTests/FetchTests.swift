import TestSupport
import Glibc
import JSON
import Testing

@Suite("larder fetch", .timeLimit(.minutes(1)))
struct FetchTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test(
        "Products go to standard output and the trail to standard error; without the upstream they come from the store")
    func fetch() async throws {
        let shop = try LarderProcess(["upstream", "--listen", "127.0.0.1:0"], in: directory)
        defer { shop.signal(SIGKILL) }
        let port = try await shop.logged("practice upstream serving", "port")
        let config = try ProcessSettings(upstream: "127.0.0.1:\(port)").write(in: directory)

        let online = try await LarderProcess.run(["fetch", "--config", config], in: directory)
        #expect(online.status == 0)
        let document = try JSONParser().parse(online.output).object
        #expect(document?["products"]?.array?.count == 100)
        #expect(document?["total"] == 100)
        #expect(online.output.last == UInt8(ascii: "\n"))
        let trail = online.error.split(separator: "\n")
        #expect(trail.contains("http: fetched"))
        #expect(trail.contains("remote: saving"))
        #expect(trail.last == "storefront: miss")

        shop.signal(SIGTERM)
        #expect(await shop.exit() == .init(status: 0, signal: nil))
        let offline = try await LarderProcess.run(["fetch", "--config", config], in: directory)
        #expect(offline.status == 0)
        #expect(offline.output == online.output)
        #expect(offline.error.contains(": refused\n"))
        #expect(offline.error.contains("disk: hit\n"))
    }

    @Test("With neither upstream nor store it is one line and exit 1")
    func nothing() async throws {
        let config = try ProcessSettings(upstream: "127.0.0.1:\(try FreePort.pick())").write(in: directory)
        let result = try await LarderProcess.run(["fetch", "--config", config], in: directory)
        #expect(result.status == 1)
        #expect(result.output == [])
        let lines = result.error.split(separator: "\n").filter { $0.hasPrefix("larder: ") }
        #expect(lines.count == 1)
        let cause = "larder: nothing to serve; upstream unreachable (refused): http://127.0.0.1:"
        #expect(lines.first?.hasPrefix(cause) == true)
        #expect(lines.first?.contains("asked again") == false)
    }
}
