internal import Configuration
internal import FileSystem
internal import Products
internal import TestSupport
internal import Testing

@testable internal import Providers

/// What a `merge` leaves to the one that a reload puts in its place.
@Suite(.timeLimit(.minutes(1)))
struct MergeReloadTests {
    private let log = LogRecorder()
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        try write("books", count: 10)
        try write("toys", count: 10)
    }

    /// A validated part that reads the file of this name.
    private func part(_ file: String) -> String {
        "{ type: validated, upstream: { type: file, path: \(directory("\(file).json")) } }"
    }

    private func write(_ file: String, count: Int) throws {
        let path = directory("\(file).json")
        try Files.replace(path, with: makeBody(file, count: count), temporary: "\(path).new")
    }

    /// - Parameter labelled: the files of parts that stand beside the merge, under the files' names or other ones.
    private func merge(
        _ parts: String, labelled: KeyValuePairs<String, String> = [:], replacing previous: Assembly? = nil
    ) throws -> (provider: ProviderFamily.Instance, assembly: Assembly) {
        var resources = ComponentResources()
        resources.set(log.logger)
        resources.set(ManualWallClock().wallClock)
        let beside = labelled.map { label, file in "\n  \(label): \(part(file))" }.joined()
        return try makeProvider(
            "{ type: merge, providers: \(parts) }\(beside)", resources: resources, replacing: previous)
    }

    @Test("after a reload each part is still compared with what it gave before")
    func kept() async throws {
        let parts = "[\(part("books")), \(part("toys"))]"
        let first = try merge("[\(part("books"))]")
        _ = try await first.provider.ask()
        let second = try merge(parts, replacing: first.assembly)
        try write("books", count: 4)
        #expect(try await second.provider.failure() == .refused(.shrunken(from: 10, to: 4)))
        #expect(try await first.provider.failure() == .refused(.shrunken(from: 10, to: 4)))
    }

    @Test("a part with a label is the same wherever it stands in the list, and is compared with nothing else")
    func labels() async throws {
        try write("few", count: 3)
        let labelled: KeyValuePairs = ["books": "few", "toys": "toys"]
        let first = try merge("[books, toys]", labelled: labelled)
        _ = try await first.provider.ask()
        let second = try merge("[toys, books]", labelled: labelled, replacing: first.assembly)
        #expect(try await second.provider.failure() == nil)
        try write("toys", count: 4)
        #expect(try await second.provider.failure() == .refused(.shrunken(from: 10, to: 4)))
    }

    @Test("another part in the place of one without a label is not compared with that")
    func places() async throws {
        let first = try merge("[\(part("books"))]")
        _ = try await first.provider.ask()
        try write("few", count: 2)
        let second = try merge("[\(part("few"))]", replacing: first.assembly)
        #expect(try await second.provider.ask().snapshot.products.count == 2)
    }

    @Test("a part without a label stays the same when its secret is another")
    func secrets() throws {
        func identity(token: String, path: String = "/items") throws -> MergePartIdentity {
            let request = "{ base_url: \"http://shop.example\", path: \(path) }"
            let auth = "{ type: bearer, token: \(token) }"
            return MergePartIdentity(try makeOutline("{ type: http, request: \(request), auth: \(auth) }"))
        }
        let first = try identity(token: "first")
        #expect(first.isSame(as: try identity(token: "second")))
        #expect(!first.isSame(as: try identity(token: "first", path: "/others")))
    }

    @Test("parts that look alike wherever settings are shown are not taken for each other when they change places")
    func lookalikes() async throws {
        let path = directory("both.json")
        let (books, toys) = (makeBody("books", count: 10), makeBody("toys", count: 2))
        let both = Array(#"{"books":"#.utf8) + books + Array(#","toys":"#.utf8) + toys + Array("}".utf8)
        try Files.create(path, both)
        let parts = ["books", "toys"].map { items in
            "{ type: validated, upstream: { type: file, path: \(path), decode: { items: \(items) } } }"
        }
        let first = try merge("[\(parts[0]), \(parts[1])]")
        _ = try await first.provider.ask()
        let second = try merge("[\(parts[1]), \(parts[0])]", replacing: first.assembly)
        #expect(try await second.provider.failure() == nil)
    }

    @Test("what a refused one has got is not what the one in force is compared with")
    func refused() async throws {
        let first = try merge("[books]", labelled: ["books": "books"])
        _ = try await first.provider.ask()
        try write("more", count: 100)
        let refused = try merge("[books]", labelled: ["books": "more"], replacing: first.assembly)
        #expect(try await refused.provider.ask().snapshot.products.count == 100)
        try write("books", count: 9)
        #expect(try await first.provider.ask().snapshot.products.count == 9)
        let next = try merge("[books]", labelled: ["books": "books"], replacing: first.assembly)
        #expect(try await next.provider.ask().snapshot.products.count == 9)
    }
}
