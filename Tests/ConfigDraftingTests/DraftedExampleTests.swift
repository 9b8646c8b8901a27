@testable internal import ConfigDrafting
internal import Configuration
internal import FileSystem
internal import FoundationEssentials
internal import Networking
internal import Service
internal import TestSupport
internal import Testing

/// A drafted config in `config/examples/shops`, and the request for which it is drafted; see `Tests/Catalogues/requests.yaml`.
struct DraftedExample: Sendable, CustomTestStringConvertible {
    let catalogue: RealCatalogue
    private let request: ConfigNode

    static let all: [DraftedExample] = {
        let text = (try? Repository.text("Tests/Catalogues/requests.yaml")) ?? ""
        let document = try? ConfigDocument.parse(text, file: "requests.yaml", environment: [:])
        return (document?.root.entries ?? []).filter { $0.value["by_hand"] == nil }.map {
            DraftedExample(catalogue: RealCatalogue(name: $0.key), request: $0.value)
        }
    }()

    static let directory = "\(Repository.root)/config/examples/shops"

    var testDescription: String { catalogue.name }
    var path: String { "\(Self.directory)/\(catalogue.name).yaml" }

    func drafted() throws -> ConfigDraft {
        func headers(_ name: String) -> [HTTPHeader] {
            (request[name]?.entries ?? []).map { HTTPHeader($0.key, $0.value.text ?? "") }
        }
        let text = try catalogue.text("document.json")
        let body = request["within"]?.text.map { "{\"\($0)\":\(text)}" } ?? text
        let source = try DraftSource(try #require(request["url"]?.text), headers: headers("headers"))
        return try ConfigDraft(
            Array(body.utf8), headers: HTTPHeaders(headers("answers")), from: source, catalogue.settings)
    }

    /// The variables that the config needs.
    func variables() throws -> [String: String] {
        let headers = (request["headers"]?.entries ?? []).map { HTTPHeader($0.key, $0.value.text ?? "") }
        let source = try DraftSource(request["url"]?.text ?? "", headers: headers)
        return Dictionary(source.variables.map { ($0.name, $0.value) }) { $1 }
    }
}

struct DraftedExampleTests {
    /// Writes the examples anew in place of comparing them.
    private static let writes = ProcessInfo.processInfo.environment["LARDER_WRITE_EXAMPLES"] == "1"

    @Test(arguments: DraftedExample.all)
    func `an example is as larder init writes it, short, and right`(example: DraftedExample) throws {
        let draft = try example.drafted()
        if Self.writes {
            try Files.replace(example.path, with: Array(draft.text.utf8), temporary: "\(example.path).new")
        }
        let text = String(decoding: try Files.read(example.path), as: UTF8.self)
        #expect(text == draft.text, "make examples writes it anew")
        let lines = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("#") }
        #expect(lines.count <= 25)
        #expect(lines.allSatisfy { $0.count <= 130 })
        let document = try ConfigDocument.parse(text, file: "f", environment: example.variables())
        let warnings = try LoadedConfiguration.check(document).warnings
        #expect(warnings.allSatisfy { RealCatalogue.isOfNoTotal($0.message) }, "\(warnings)")
        let plain = try example.catalogue.draft().text
        #expect(Self.mapping(in: text) == Self.mapping(in: plain))
    }

    @Test func `all examples are drafted but those of GraphQL, of feeds, and of shops that are asked at several URLs`()
        throws
    {
        let files = Set(try Files.list(DraftedExample.directory))
        #expect(files == Set((RealCatalogue.all.map(\.name) + ["sylius"]).map { "\($0).yaml" }))
        #expect(DraftedExample.all.count >= 19)
    }

    /// The mapping, but for the place of the items and the address of the shop.
    private static func mapping(in text: String) -> [Substring] {
        text.split(separator: "\n").drop { $0 != "  decode:" }.filter {
            !$0.contains(" items: ") && !$0.contains("#")
        }
    }
}
