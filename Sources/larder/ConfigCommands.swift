internal import ArgumentParser
internal import Configuration
internal import Decoding
internal import EventLoop
internal import FileSystem
import GraphTools
internal import JSON
internal import Logging
internal import Products
internal import Providers
internal import Querying
internal import Service
internal import Upstreams
internal import Wiring

struct Check: Command {
    static let configuration = CommandConfiguration(abstract: "Checks a config file.")

    @OptionGroup var options: ConfigOption

    @Flag(help: "Treats warnings as errors.")
    var strict = false

    @Option(
        help:
            "A document as the upstream sends it: reads it by the config, and warns of what would be lost or published."
    )
    var sample: String?

    @Option(help: "The label or path of the source that reads the sample; needed if there are several.")
    var provider: String?

    @Flag(help: "Connects to shared stores as well: exit 1 if that fails. Changes nothing there.")
    var connect = false

    func run(in environment: CommandEnvironment) async throws {
        let path = options.path(in: environment)
        let (loaded, name) = (try environment.load(path), ConfigDocument.name(of: path))
        var warnings = loaded.warnings.count + checkPlaces(of: loaded.root.outline, in: environment)
        if let sample { warnings += try read(sample, loaded, in: environment) }
        if connect { warnings += try await inspect(loaded.root.outline, in: environment) }
        guard warnings == 0 || !strict else {
            throw CommandFailure("\(name): \(warnings) \(warnings == 1 ? "warning" : "warnings")")
        }
        for store in loaded.root.outline.servedUnpinnableStores {
            environment.report(
                "\(store.position): note: no generation of \"\(store.name)\" can be pinned; \(ComponentOutline.wayToPins)"
            )
        }
        try environment.print("\(name): ok\n")
    }

    /// Checks whether files can be made where the graph makes them. Makes neither files nor directories.
    /// - Returns: the number of warnings.
    private func checkPlaces(of root: ComponentOutline, in environment: CommandEnvironment) -> Int {
        var obstacles: Set<FileSystemError> = []
        for outline in root.all {
            for (path, isFile) in outline.dataPaths {
                guard let obstacle = Files.obstacle(toFilesIn: isFile ? Files.parent(of: path) : path),
                    obstacles.insert(obstacle).inserted
                else { continue }
                environment.report("\(Diagnostic(.warning, at: outline.position, "\"\(outline.name)\" \(obstacle)"))")
            }
        }
        return obstacles.count
    }

    /// Reads a document like the source of the graph.
    /// - Returns: the number of warnings.
    private func read(_ path: String, _ loaded: LoadedConfiguration, in environment: CommandEnvironment) throws -> Int {
        let sources = loaded.root.outline.all.filter { $0.decoder != nil }
        let ofProducts = loaded.root.outline.productSources()
        let chosen = sources.filter { source in
            provider.map { source.label == $0 || source.id == $0 } ?? ofProducts.contains { $0.source.id == source.id }
        }
        guard chosen.count == 1, let decoder = chosen.first?.decoder else {
            let names = sources.map { $0.label ?? $0.id }.joined(separator: ", ")
            throw CommandFailure("larder: --provider has to name one source of \(names)")
        }
        let isPaged = chosen.first?.all.contains { $0.family == "pagination" && $0.type != "single" } ?? false
        let decoded: DecodedProducts
        do {
            decoded = try decoder.decode(FileProductsProvider.unpacked(Files.read(path)), knowing: nil)
        } catch {
            throw CommandFailure("\(path): \(error)")
        }
        try environment.print(
            "\(path): \(decoded.products.count) products, \(decoded.skipped.count) skipped, \(decoded.leftOut) left out\n"
        )
        // Only the members that an overlay lays are public, not the rest of its entries.
        let laid = ofProducts.first { $0.source.id == chosen[0].id }?.laid
        let warnings =
            (decoded.isAllLeftOut ? ["no item meets the conditions in \"when\""] : [])
            + decoded.skipped.prefix(5).map(\.reason) + decoded.unmatched.map { "matches nothing: \($0)" }
            + decoded.danglingIDs.map { "matches no object in \"includes\": \($0)" }
            + decoded.unconverted.map { "kept in \"unconverted\", since it has another form; map it: \($0)" }
            + (laid == nil ? [] : decoded.internalMembers).map {
                "\"\($0)\" looks internal and is public; list the public members in \"attributes\", or name it in \"omit\""
            }
        let missing = isPaged ? nil : decoded.missingItems.map { "\($0); add \"pagination\"" }
        let doubts =
            [laid == nil ? nil : decoded.freeProducts, missing].compactMap(\.self)
            + (try laid.map { try self.doubts(about: decoded, loaded.service, path, without: $0) } ?? [])
        for warning in warnings + doubts { environment.report("\(path): warning: \(warning)") }
        return warnings.count + doubts.count
    }

    /// The members of `catalogue:` that do not fit the products.
    /// - Parameter laid: the members that an overlay lays, which the sample need not have.
    private func doubts(
        about decoded: DecodedProducts, _ service: ServiceConfiguration, _ path: String, without laid: [String]
    ) throws -> [String] {
        func isLaid(_ path: ItemPath) -> Bool { path.root.map(laid.contains) ?? false }
        var members = service.members
        members.attributes.removeAll { isLaid($0.path) }
        members.keys.removeAll { $0.paths.contains(where: isLaid) }
        guard !members.isEmpty else { return [] }
        let catalogue: Catalogue
        do { catalogue = try Catalogue(decoded) } catch { throw CommandFailure("\(path): \(error)") }
        let marks = ProductsUseCase.marked(catalogue, by: service.popularity).marks
        return CatalogueIndex(catalogue, marks, findable: members).doubts(making: true)
            .sorted { $0.key < $1.key }.map(\.value)
    }

    /// Inspects the servers of all shared stores.
    /// - Returns: the number of warnings.
    private func inspect(_ root: ComponentOutline, in environment: CommandEnvironment) async throws -> Int {
        let stores = root.sharedStores
        guard !stores.isEmpty else { throw CommandFailure("larder: the graph has no shared store to connect to") }
        let loop = try EventLoop(name: "larder-check")
        let logger = Logger(label: "larder") { _ in SwiftLogNoOpLogHandler() }
        var (warnings, problems) = (0, [] as [String])
        for (label, connection, fingerprint) in stores {
            do throws(SharedStoreConnection.Failure) {
                let found = try await connection.inspect(fingerprint: fingerprint, on: loop, logger: logger)
                try? environment.print("\(label): \(found.summary)\n")
                for warning in found.warnings { environment.report("warning: \(label): \(warning)") }
                warnings += found.warnings.count
            } catch {
                problems.append("larder: \(label): \(error)")
            }
        }
        await loop.shutdown()
        guard problems.isEmpty else { throw CommandFailure(problems.joined(separator: "\n")) }
        return warnings
    }
}

struct Graph: Command {
    static let configuration = CommandConfiguration(abstract: "Shows the graph that a config file describes.")

    @OptionGroup var options: ConfigOption

    @Option(help: "text or mermaid.")
    var format = GraphFormat.text

    func run(in environment: CommandEnvironment) throws {
        try environment.print(format.render(options.load(in: environment).root.outline))
    }
}

extension GraphFormat: ExpressibleByArgument {}

struct Components: Command {
    static let configuration = CommandConfiguration(
        abstract: "Lists the keys and component types of config files, or describes one of them.")

    @Argument(help: "The component type or top-level key to describe.")
    var type: String?

    func run(in environment: CommandEnvironment) throws {
        let registry = ComponentRegistry.everyFamily
        let reference = ComponentReference(registry: registry, sections: ServiceConfiguration.fields)
        guard let type else { return try environment.print(reference.list) }
        guard let description = reference.description(of: type) else {
            let hint = registry.type(closestTo: type).map { "; did you mean \"\($0)\"?" }
            throw CommandFailure(
                "larder: no component has the type \"\(type)\"\(hint ?? "; larder components lists them all")")
        }
        try environment.print(description)
    }
}

struct Schema: Command {
    static let configuration = CommandConfiguration(
        abstract: "Prints the JSON Schema of config files, with which editors complete and check YAML.")

    func run(in environment: CommandEnvironment) throws {
        let schema = ConfigSchema(registry: ComponentRegistry.everyFamily, sections: ServiceConfiguration.fields)
        try environment.output(JSONValue.object(schema.document).encoded() + [UInt8(ascii: "\n")])
    }
}
