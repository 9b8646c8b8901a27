@testable internal import Decoding
internal import FileSystem
internal import FoundationEssentials
internal import Glibc
internal import JSON
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Upstreams

struct FileProductsProviderTests {
    @Test func `the file is decoded once while it stays the same, and again after every change`() async throws {
        let directory = try TemporaryDirectory()
        let decoder = CountingDecoder()
        let wall = ManualWallClock()
        let provider = FileProductsProvider(
            path: directory("products.json"), decoder: decoder, wallClock: wall.wallClock,
            timeout: .seconds(30))
        for (round, name) in ["Mug", "Cup", "Mug"].enumerated() {
            try Files.replace(directory("products.json"), with: makeBody(name), temporary: directory("new"))
            for outcome in ["file: fetched", "file: unchanged", "file: unchanged"] {
                wall.advance(by: .seconds(1))
                let answer = try await provider.ask()
                #expect(answer.snapshot.revision == makeCatalogue(name).revision)
                #expect(answer.snapshot.fetchedAt == wall.now)
                #expect(answer.snapshot.origin == .bundled)
                #expect(answer.steps == [outcome])
            }
            #expect(decoder.count == round + 1)
        }
    }

    @Test func `a file that is not there need not be there, and is read when it comes`() async throws {
        let directory = try TemporaryDirectory()
        let path = directory("products.json")
        let provider = FileProductsProvider(path: path, timeout: .seconds(30))
        let failure = ProductsFailure.storeFailed(detail: "cannot look at \(path): No such file or directory")
        #expect(try await provider.failure() == failure)
        try Files.create(path, makeBody())
        #expect(try await provider.ask().snapshot.revision == makeCatalogue().revision)
        try Files.remove(path)
        #expect(try await provider.failure() == failure)
    }

    @Test func `a file that gzip packed is read, and a damaged one is refused until it is whole`() async throws {
        let directory = try TemporaryDirectory()
        let (path, packed) = (directory("products.json.gz"), Gzip.packed(makeBody()))
        let provider = FileProductsProvider(path: path, timeout: .seconds(30))
        try Files.create(path, packed.dropLast(9) + [])
        #expect(try await provider.failure() == .malformed(detail: "truncated gzip"))
        try Files.replace(path, with: packed, temporary: directory("new"))
        #expect(try await provider.ask().snapshot.revision == makeCatalogue().revision)
    }

    @Test func `a directory in the file's place is a failure of the store`() async throws {
        let directory = try TemporaryDirectory()
        #expect(try await FileProductsProvider(path: directory.path).failure()?.token == "store-failed")
    }

    @Test func `a file that is no catalogue says where, and the one that replaces it is read`() async throws {
        let directory = try TemporaryDirectory()
        let provider = FileProductsProvider(path: directory("products.json"))
        try Files.create(directory("products.json"), Array(#"[{"type":"physical","id":"1"}]"#.utf8))
        #expect(try await provider.failure() == .malformed(detail: "[0].name: missing"))
        try Files.replace(directory("products.json"), with: makeBody(), temporary: directory("new"))
        #expect(try await provider.ask().snapshot.products.count == 3)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a new file that takes longer to decode than the disk is waited for is taken, or its fault told`() async throws
    {
        let directory = try TemporaryDirectory()
        let provider = FileProductsProvider(path: directory("products.json"), decoder: SlowDecoder())
        try Files.create(directory("products.json"), makeBody())
        _ = try await provider.ask()
        let broken = Array(#"[{"type":"physical","id":"1"}]"#.utf8)
        try Files.replace(directory("products.json"), with: broken, temporary: directory("new"))
        let fault = ProductsFailure.malformed(detail: "[0].name: missing")
        try await yieldUntil { try await provider.failure() == fault }
        try Files.replace(directory("products.json"), with: makeBody("Cup"), temporary: directory("new"))
        let cup = makeCatalogue("Cup").revision
        try await yieldUntil { try await provider.ask().snapshot.revision == cup }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a new file that is read later than it is waited for is served at the next request`() async throws {
        let directory = try TemporaryDirectory()
        let path = directory("products.json")
        let provider = FileProductsProvider(path: path)
        try Files.create(path, makeBody())
        let mug = try await provider.ask().snapshot.revision
        // A pipe, which is read when it is written to, and by then is another than it was.
        let results = unsafe [mkfifo(directory("pipe"), 0o600), rename(directory("pipe"), path)]
        try #require(results == [0, 0])
        let meanwhile = try await provider.ask()
        #expect(meanwhile.snapshot.revision == mug && meanwhile.steps == ["file: unchanged"])
        try Data(makeBody("Cup")).write(to: URL(filePath: path))
        let cup = makeCatalogue("Cup").revision
        try await yieldUntil { try await provider.ask().snapshot.revision == cup }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a file that is no catalogue stays a failure while the disk does not answer, until it changes`() async throws {
        let directory = try TemporaryDirectory()
        let path = directory("products.json")
        let provider = FileProductsProvider(path: path)
        try Files.create(path, makeBody())
        _ = try await provider.ask()
        let broken = Array(#"[{"type":"physical","id":"1"}]"#.utf8)
        try Files.replace(path, with: broken, temporary: directory("new"))
        let fault = ProductsFailure.malformed(detail: "[0].name: missing")
        try await yieldUntil { try await provider.failure() == fault }
        // Nothing is read from a pipe until it is written to.
        let results = unsafe [mkfifo(directory("pipe"), 0o600), rename(directory("pipe"), path)]
        try #require(results == [0, 0])
        for _ in 0..<3 { #expect(try await provider.failure() == fault) }
        try Data(makeBody("Cup")).write(to: URL(filePath: path))
        let cup = makeCatalogue("Cup").revision
        await yieldUntil { (try? await provider.ask().snapshot.revision) == cup }
    }

    /// Takes longer than the disk is waited for.
    private struct SlowDecoder: CatalogueDecoder {
        var format: DocumentFormat { .json }
        var itemsPaths: [JSONPath] { NativeCatalogueDecoder.itemsPaths }
        var idPaths: [JSONPath] { NativeCatalogueDecoder.idPaths }

        func items(in document: JSONValue) -> [JSONValue]? { document.firstArray(at: itemsPaths) }

        func decode(_ body: [UInt8], knowing known: KnownProducts?) throws(ProductsFailure) -> DecodedProducts {
            usleep(200_000)
            return try NativeCatalogueDecoder().decode(body)
        }

        func decode(items: [JSONValue]) throws(ProductsFailure) -> DecodedProducts {
            try NativeCatalogueDecoder().decode(items: items)
        }
    }
}

struct FileSkippedItemsTests {
    @Test
    func `items that were left out are logged once for each state of the file, with their number and the first reason`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let log = LogRecorder()
        let provider = FileProductsProvider(
            path: directory("products.json"), decoder: try makeDecoder("{ on_bad_item: skip }"), logger: log.logger)
        let good = #"{"type":"digital","id":1,"name":"Song","price":{"amount":1,"currency":"EUR"}}"#
        let texts = ["[\(good),7,{}]", "[\(good),8]", "[\(good)]"]
        for text in texts {
            try Files.replace(directory("products.json"), with: Array(text.utf8), temporary: directory("new"))
            for _ in 0..<3 { #expect(try await provider.ask().snapshot.products.map(\.id) == ["1"]) }
        }
        let message = "warning: items omitted from the catalogue"
        #expect(log.seen == [message, message])
        let reason = "[1]: expected an object, found a number"
        #expect(
            log.seenLines.map(\.metadata) == [
                ["provider": "file", "items": "2", "first": reason],
                ["provider": "file", "items": "1", "first": reason],
            ])
    }
}
