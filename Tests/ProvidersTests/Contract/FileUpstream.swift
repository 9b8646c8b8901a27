internal import TestSupport
internal import FileSystem
internal import Products

/// A file as the upstream of `file`, which never keeps anybody waiting.
struct FileUpstream: ContractUpstream {
    let directory: TemporaryDirectory

    var path: String { directory("products.json") }

    func serve(_ products: [any Product]) throws {
        try Files.replace(path, with: try Catalogue(products: products).encoded, temporary: directory("new"))
    }

    func fail() throws {
        try Files.remove(path)
    }

    func hang() {}

    func waitForCaller() async {}

    func waitForCancellation() async {}

    func stop() {}
}
