import Configuration
import FileSystem
import Service
import TestSupport
import Testing
import Wiring

@testable import GraphTools

struct BadConfigsTests {
    private static let directory = "\(Repository.root)/Tests/GraphToolsTests/BadConfigs"
    private static let names = ((try? Files.list(directory)) ?? []).filter { $0.hasSuffix(".yaml") }.sorted()
    private static let environment = ["LARDER_UPSTREAM": "shop.example:80", "SECRET": "s3cret"]

    @Test func `there are many, each with the messages that it is to have`() throws {
        let files = try Files.list(Self.directory).sorted()
        #expect(Self.names.count >= 40)
        #expect(files == Self.names.flatMap { [$0.replacing(".yaml", with: ".txt"), $0] }.sorted())
    }

    @Test(arguments: names)
    func `each is told all its problems, word for word, sorted by position`(name: String) throws {
        let expected = try Self.text(name.replacing(".yaml", with: ".txt"))
        #expect(!expected.isEmpty)
        let found = try Self.problems(name)
        #expect(found.map { "\($0)\n" }.joined() == expected)
        #expect(found == found.sorted())
    }

    @Test(arguments: names)
    func `no message tells a secret`(name: String) throws {
        for problem in try Self.problems(name) {
            #expect(!problem.message.contains("hunter2") && !problem.message.contains("s3cret"))
        }
    }

    @Test func `every rule about the graph finds something in one of them`() {
        let quiet = Lints.all.filter { lint in
            !Self.names.contains { name in
                guard let root = try? Self.root(name) else { return false }
                return !lint.problems(in: root.all).isEmpty
            }
        }
        #expect(quiet.map { "\(type(of: $0))" } == [])
    }

    private static func text(_ name: String) throws -> String {
        String(decoding: try Files.read("\(directory)/\(name)"), as: UTF8.self)
    }

    private static func problems(_ name: String) throws -> [Diagnostic] {
        let text = try text(name)
        do throws(ConfigurationError) {
            let document = try ConfigDocument.parse(text, file: name, environment: environment)
            return try LoadedConfiguration.check(document).warnings
        } catch {
            return error.diagnostics
        }
    }

    private static func root(_ name: String) throws -> ComponentOutline {
        let document = try ConfigDocument.parse(try text(name), file: name, environment: environment)
        let check = ConfigurationCheck(
            document: document, registry: ComponentRegistry.everyFamily, sections: ServiceConfiguration.fields)
        return check.root.component("serve", ProviderFamily.self).outline
    }
}
