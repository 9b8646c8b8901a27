import JSON
import Service
import TestSupport
import Testing

@testable import larder

@Suite("larder components, and larder schema")
struct ComponentsTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    @Test("Top-level keys and all types are listed, family by family, each with its summary")
    func list() async throws {
        let lines = try await fixture.run("components").split(separator: "\n").map(String.init)
        #expect(
            lines.filter { !$0.hasPrefix(" ") } == [
                "top level", "stores", "analytics", "monitors", "paginations", "auths", "providers",
            ])
        let keys = lines.dropFirst().prefix { $0.hasPrefix(" ") }.compactMap { $0.split(separator: " ").first }
        #expect(keys == ["http", "admin", "log", "popular", "serve"])
        #expect(
            lines.contains(
                "  memory             keeps the last answer; one refresh at a time; serves stale answers "
                    + "while the upstream fails"))
    }

    @Test("A type is described with its fields, their defaults and an example")
    func one() async throws {
        #expect(
            try await fixture.run("components json_file") == """
                json_file (store): a directory of JSON files, one a generation, written atomically and checked when read

                  directory: path, required
                      where the files are; made at the first save
                  keep: integer, default 3
                      how many generations stay, the newest included

                  example
                      { type: json_file, directory: /var/lib/larder, keep: 3 }

                """)
    }

    @Test("A top-level key is described with its fields")
    func key() async throws {
        #expect(
            try await fixture.run("components popular") == """
                popular (top level): which products are marked as popular

                  popular: mapping, optional
                      which products are marked as popular
                  popular.sales_over: integer, default 100
                      a popular product has more sales than this

                """)
    }

    @Test(
        "A name with several meanings is described with each",
        arguments: [("file", ["file (sink)", "file (provider)"]), ("http", ["http (top level)", "http (provider)"])])
    func several(name: String, heads: [String]) async throws {
        let lines = try await fixture.run("components \(name)").split(separator: "\n")
        #expect(lines.filter { !$0.hasPrefix(" ") }.map { String($0.prefix { $0 != ":" }) } == heads)
    }

    @Test("The fields of a mapping follow it by their whole names")
    func inner() async throws {
        let text = try await fixture.run("components http")
        #expect(
            text.contains("\n  request: mapping, required\n      what is asked\n  request.base_url: url, required\n"))
    }

    @Test("An unknown type is one line, with the one that was probably meant")
    func unknown() async {
        #expect(
            await fixture.failure("components memroy")
                == "larder: no component has the type \"memroy\"; did you mean \"memory\"?")
        #expect(
            await fixture.failure("components waterfall")
                == "larder: no component has the type \"waterfall\"; larder components lists them all")
        #expect(fixture.printed.value == "")
    }

    @Test("The schema is JSON, and needs no config")
    func schema() async throws {
        let text = try await fixture.run("schema")
        #expect(text.last == "\n")
        let document = try JSONParser().parse(Array(text.utf8)).object
        #expect(document?["$schema"] == "http://json-schema.org/draft-07/schema#")
        #expect(document?["properties"]?.object?["serve"] != nil)
    }
}
