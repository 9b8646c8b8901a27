import Configuration
import FileSystem
import Service
import TestSupport
import Testing

struct GoodConfigsTests {

    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func `there are some: the default one and those of all examples`() {
        #expect(Repository.shownConfigs.contains("config/larder.yaml"))
        #expect(Repository.shownConfigs.count { $0.hasPrefix("config/examples/") } >= 10)
    }

    @Test(arguments: Repository.shownConfigs)
    func `the config files are clean, down to the last warning`(path: String) throws {
        let text = String(decoding: try Files.read("\(Repository.root)/\(path)"), as: UTF8.self)
        let document = try ConfigDocument.parse(text, file: path, environment: try environment(for: text))
        #expect(try LoadedConfiguration.check(document).warnings == [])
    }

    @Test func `the blocks of YAML in README and pages are clean as well, whole files and single components`() throws {
        let secret = try secret()
        let pages = ["README.md"] + Repository.pages
        let blocks = try pages.flatMap { page in
            MarkdownBlocks(try Repository.text(page), language: "yaml").blocks.map { (page, $0) }
        }
        #expect(blocks.count >= 3)
        for (page, block) in blocks {
            let yaml = block.text.replacing("/run/secrets/token", with: secret)
                .replacing("/etc/larder/own.key", with: TestCertificate.first.keyPath)
                .replacing(/\/etc\/larder\/\w+\.pem/, with: TestCertificate.first.path)
            let isWhole = yaml.split(separator: "\n").contains { $0.hasPrefix("serve:") }
            let config = isWhole ? yaml : "serve:\n" + yaml.split(separator: "\n").map { "  \($0)\n" }.joined()
            let document = try ConfigDocument.parse(
                config, file: "\(page), the block at line \(block.line)", environment: try environment(for: config))
            #expect(try LoadedConfiguration.check(document).warnings == [])
        }
    }

    /// Something of the right sort for every variable that a text names without a default.
    private func environment(for text: String) throws -> [String: String] {
        let secret = try secret()
        return text.matches(of: /\$\{([A-Z0-9_]+)\}/).map { String($0.output.1) }.reduce(into: [:]) { values, name in
            values[name] =
                switch name {
                case "LARDER_UPSTREAM": "shop.example:80"
                case _ where name.hasSuffix("_FILE"): secret
                case _ where name.hasSuffix("_URL"): "https://shop.example"
                default: "something"
                }
        }
    }

    private func secret() throws -> String {
        let path = directory("secret")
        if !Files.exists(path) { try Files.create(path, Array("s3cret\n".utf8)) }
        return path
    }
}
