import FileSystem
import TestSupport
import Glibc
import Networking
import JSON
import Testing

@Suite(.timeLimit(.minutes(1)))
struct FetchTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test
    func
        `products go to standard output and the trail to standard error; while the upstream fails they are the store's`()
        async throws
    {
        let (shop, port) = try await LarderProcess.upstream(in: directory)
        defer { shop.signal(SIGKILL) }
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

        try await Visitor.with { visitor in
            let switched = try await visitor.get(port, "/_fault?mode=html", method: "PUT")
            #expect(switched.status == 200)
        }
        let malformed = try await LarderProcess.run(["fetch", "--config", config], in: directory)
        #expect(malformed.status == 1)
        #expect(malformed.output == online.output)
        #expect(malformed.error.contains("\nlarder: these products are from a store, not from the upstream: "))

        shop.signal(SIGTERM)
        #expect(await shop.exit() == .init(status: 0, signal: nil))
        let offline = try await LarderProcess.run(["fetch", "--config", config], in: directory)
        #expect(offline.status == 1)
        #expect(offline.output == online.output)
        #expect(offline.error.contains(": refused\n"))
        #expect(offline.error.contains("disk: hit\n"))
        let end = offline.error.split(separator: "\n").last ?? ""
        #expect(end.hasPrefix("larder: these products are from a store, not from the upstream: upstream unreachable"))
    }

    @Test func `the environment names a proxy only where the config says so`() async throws {
        let (shop, port) = try await LarderProcess.upstream(in: directory)
        defer { shop.signal(SIGKILL) }
        let environment = ["http_proxy": "http://someone:s3cret@127.0.0.1:1"]
        for (name, proxy) in [("ignored", ""), ("read", ", proxy: environment")] {
            try Files.create(
                directory(name),
                Array(
                    """
                    serve: { type: http, request: { base_url: "http://127.0.0.1:\(port)", path: /products }\(proxy) }
                    """.utf8))
            let result = try await LarderProcess.run(
                ["fetch", "--config", directory(name)], environment: environment, in: directory)
            #expect(result.status == (name == "ignored" ? 0 : 1))
            #expect(result.error.contains("no way through the proxy (127.0.0.1:1: ") == (name == "read"))
            #expect(!result.error.contains("s3cret"))
        }
    }

    @Test func `a dry run saves nothing and writes no event, and reads what is stored`() async throws {
        let (shop, port) = try await LarderProcess.upstream(in: directory)
        defer { shop.signal(SIGKILL) }
        let config = try ProcessSettings(upstream: "127.0.0.1:\(port)").write(in: directory)
        let arguments = ["fetch", "--config", config, "--dry-run"]
        let result = try await LarderProcess.run(arguments, in: directory)
        #expect(result.status == 0)
        #expect(try JSONParser().parse(result.output).object?["total"] == 100)
        #expect(result.error.hasSuffix("\ndry run: nothing was saved, and no event was written\n"))
        #expect(!result.error.contains("saving"))
        #expect(!Files.exists(directory("store")))
        #expect(!Files.exists(directory("events.jsonl")))

        _ = try await LarderProcess.run(["fetch", "--config", config], in: directory)
        shop.signal(SIGTERM)
        _ = await shop.exit()
        let offline = try await LarderProcess.run(arguments, in: directory)
        #expect(offline.status == 1)
        #expect(offline.output == result.output)
        let empty = try await LarderProcess.run(
            ["fetch", "--config", config, "--dry-run", "--provider", "remote"], in: directory)
        #expect(empty.status == 1)
        #expect(empty.error.contains("dry run: nothing was saved, and no event was written\n"))
    }

    @Test func `a dry run names the paths of a mapping that lead to nothing`() async throws {
        let (products, config) = (directory("products.json"), directory("mapped.yaml"))
        let body = #"[{"id":"p-1","name":"Jam","price":{"amount":1,"currency":"EUR"},"text":"sweet"}]"#
        try Files.create(products, Array(body.utf8))
        let yaml = """
            serve: { type: file, path: "\(products)", decode: { type: physical, fields: { description: descr } } }
            """
        try Files.create(config, Array(yaml.utf8))
        let result = try await LarderProcess.run(["fetch", "--config", config, "--dry-run"], in: directory)
        #expect(result.status == 0)
        #expect(result.error.contains("paths of the mapping match nothing in any item"), "\(result.error)")
        #expect(result.error.contains("descr"))
    }

    @Test func `a product is explained member by member`() async throws {
        let (products, config) = (directory("products.json"), directory("mapped.yaml"))
        let body = """
            [{"ref":"p-1","title":"Jam","prices":[{"cents":250},{"cents":199}],"tags":["a"],"secret":1,"weight":3},{"ref":"p-2"}]
            """
        try Files.create(products, Array(body.utf8))
        let yaml = """
            serve:
              type: file
              path: "\(products)"
              decode:
                type: physical
                on_bad_item: skip
                attributes: [tags]
                fields: { id: ref, name: [label, title], price.amount: { path: prices.*.cents, scale: 2, pick: min }, imageURL: img }
                constants: { price.currency: EUR }
            """
        try Files.create(config, Array(yaml.utf8))
        let arguments = ["fetch", "--config", config, "--dry-run", "--explain"]
        let result = try await LarderProcess.run(arguments + ["p-1"], in: directory)
        #expect(result.status == 0)
        #expect(
            String(decoding: result.output, as: UTF8.self) == """
                file: p-1
                  type = string "physical"  ← a constant of the config
                  id = string "p-1"  ← ref: string "p-1"
                  name = string "Jam"  ← title: string "Jam"
                  price.amount = number 1.99  ← prices.*.cents: number 250, number 199; scale: 2; pick: min
                  imageURL = nothing  ← img: nothing there
                  price.currency = string "EUR"  ← a constant of the config
                  sales = number 0  ← not in the item
                  weight = number 3  ← under its own name
                  attributes, as they are: tags
                  not served: secret

                """)
        let bad = try await LarderProcess.run(arguments + ["p-2"], in: directory)
        #expect(String(decoding: bad.output, as: UTF8.self).hasPrefix("file: p-2\n  no product: "))
        let none = try await LarderProcess.run(arguments + ["p-3"], in: directory)
        #expect(none.status == 1 && none.error.hasSuffix("larder: no source has an item with the id \"p-3\"\n"))
    }

    @Test func `a product is explained by the end of its id, with the variants that are items of their own`()
        async throws
    {
        let (products, config) = (directory("products.json"), directory("mapped.yaml"))
        let body = #"""
            [{"id":"gid://s/P/6","title":"Cap"},{"id":"gid://s/P/7","title":"Shirt"},
            {"id":"gid://s/V/8","title":"Small","of":"gid://s/P/7","cost":5},{"id":"gid://s/V/9","of":"gid://s/P/6","cost":3}]
            """#
        try Files.create(products, Array(body.utf8))
        let yaml = """
            serve:
              type: file
              path: "\(products)"
              decode:
                type: physical
                attributes: drop
                fields: { id: { path: id, last_segment: true }, name: title }
                constants: { price.currency: EUR }
                variants: { parent: of, fields: { price.amount: cost } }
            """
        try Files.create(config, Array(yaml.utf8))
        for id in ["7", "gid://s/P/7", "8"] {
            let result = try await LarderProcess.run(
                ["fetch", "--config", config, "--dry-run", "--explain", id], in: directory)
            let text = String(decoding: result.output, as: UTF8.self)
            #expect(text.contains("id = string \"7\"  ← id: string \"gid://s/P/7\"; last_segment\n"), "\(text)")
            #expect(text.contains("variants = an array  ← the items whose of is its id\n"), "\(text)")
            #expect(text.contains("price.amount = number 5  ← the least price of the variants\n"), "\(text)")
        }
    }

    @Test
    func `one provider of the graph is asked by its name; another name is a usage error that lists them`() async throws
    {
        let config = try ProcessSettings(upstream: "127.0.0.1:\(try FreePort.pick())").write(in: directory)
        let local = try await LarderProcess.run(["fetch", "--config", config, "--provider", "local"], in: directory)
        #expect(local.status == 1)
        #expect(
            local.error == "stored: not-stored\nlocal: not-stored\nlarder: nothing has been stored yet\n")
        let wrong = try await LarderProcess.run(["fetch", "--config", config, "--provider", "locale"], in: directory)
        #expect(wrong.status == 64)
        #expect(
            wrong.error.hasPrefix(
                "Error: no provider is called \"locale\"; there are local, remote, storefront\nUsage: larder fetch "))
    }

    @Test func `headers decide as those of a client do`() async throws {
        let path = directory("audience.yaml")
        let file = directory("vip.json")
        try Files.create(file, Array("[]".utf8))
        let yaml = """
            providers:
              vip: { type: file, path: "\(file)" }
              all: { type: stored, store: { type: json_file, directory: "\(directory.path)/none" } }
            serve:
              type: audience
              header: X-Audience
              cases: { vip: vip }
              otherwise: all
            """
        try Files.create(path, Array(yaml.utf8))
        let arguments = ["fetch", "--config", path]
        #expect(try await LarderProcess.run(arguments, in: directory).status == 1)
        let vip = try await LarderProcess.run(arguments + ["--header", "x-audience: vip"], in: directory)
        #expect(vip.status == 0)
        #expect(try JSONParser().parse(vip.output).object?["total"] == 0)
        #expect(try await LarderProcess.run(arguments + ["--header", "vip"], in: directory).status == 64)
    }

    @Test func `with neither upstream nor store it is the steps, one line and exit 1`() async throws {
        let config = try ProcessSettings(upstream: "127.0.0.1:\(try FreePort.pick())").write(in: directory)
        let result = try await LarderProcess.run(["fetch", "--config", config], in: directory)
        #expect(result.status == 1)
        #expect(result.output == [])
        for step in ["http: refused", "remote: refused", "stored: not-stored", "storefront: unavailable"] {
            #expect("\n\(result.error)".contains("\n\(step)\n"))
        }
        let lines = result.error.split(separator: "\n").filter { $0.hasPrefix("larder: ") }
        #expect(lines.count == 1)
        let cause = "larder: nothing to serve; upstream unreachable (refused): http://127.0.0.1:"
        #expect(lines.first?.hasPrefix(cause) == true)
        #expect(lines.first?.contains("asked again") == false)
    }
}
