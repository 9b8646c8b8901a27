import TestSupport
import Testing

@testable import larder

struct ComponentsTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    @Test func `Top-level keys and all types are listed, family by family, each with its summary`() async throws {
        let lines = try await fixture.run("components").split(separator: "\n").map(String.init)
        #expect(
            lines.filter { !$0.hasPrefix(" ") } == [
                "top level", "stores", "analytics", "monitors", "paginations", "auths", "providers",
            ])
        let keys = lines.dropFirst().prefix { $0.hasPrefix(" ") }.compactMap { $0.split(separator: " ").first }
        #expect(keys == ["http", "admin", "hooks", "reload", "log", "telemetry", "popular", "catalogue", "serve"])
        #expect(
            lines.contains(
                "  memory             keeps the last answer; one refresh at a time; serves stale answers "
                    + "while the upstream fails"))
    }

    @Test func `a type is described with its fields, their defaults and an example`() async throws {
        #expect(
            try await fixture.run("components json_file") == """
                json_file (store): a directory of JSON files, one a generation, written atomically and checked when read

                  directory: path, required
                      where the files are; made at the first save
                  keep: integer, default 3
                      how many generations stay, the newest included
                  keep_for: mapping, optional
                      the history that stays beyond keep, by age
                  keep_for.all: duration, default 0s
                      the age up to which every generation stays
                  keep_for.hourly: duration, default 0s
                      the age up to which the newest generation of each hour stays
                  keep_for.daily: duration, default 0s
                      the age up to which the newest generation of each day stays
                  max_bytes: size, optional
                      the room for all generations; the oldest go first, never the newest two, or under a pin \
                the newest and the pinned

                  example
                      { type: json_file, directory: /var/lib/larder, keep_for: { all: 1h, hourly: 48h, daily: 14d }, \
                max_bytes: 2GB }

                """)
    }

    @Test func `a top-level key is described with its fields`() async throws {
        #expect(
            try await fixture.run("components popular") == """
                popular (top level): which products are marked as popular

                  popular: mapping, optional
                      which products are marked as popular
                  popular.sales_over: integer, default 100
                      a popular product has more sales than this

                """)
    }

    @Test(arguments: [
        ("file", ["file (sink)", "file (provider)"]),
        ("http", ["http (top level)", "http (monitor)", "http (provider)"]),
    ])
    func `a name with several meanings is described with each`(name: String, heads: [String]) async throws {
        let lines = try await fixture.run("components \(name)").split(separator: "\n")
        #expect(lines.filter { !$0.hasPrefix(" ") }.map { String($0.prefix { $0 != ":" }) } == heads)
    }

    @Test func `the fields of a mapping follow it by their whole names`() async throws {
        let text = try await fixture.run("components http")
        #expect(
            text.contains("\n  request: mapping, required\n      what is asked\n  request.base_url: url, required\n"))
        #expect(text.contains("\n  http.tls.key: path, required\n"))
    }

    @Test func `an unknown type is one line, with the one that was probably meant`() async {
        #expect(
            await fixture.failure("components memroy")
                == "larder: no component has the type \"memroy\"; did you mean \"memory\"?")
        #expect(
            await fixture.failure("components waterfall")
                == "larder: no component has the type \"waterfall\"; larder components lists them all")
        #expect(fixture.printed.value == "")
    }
}
