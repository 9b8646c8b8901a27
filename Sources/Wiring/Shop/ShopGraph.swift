package import Configuration
internal import Persistence
internal import Providers
internal import Upstreams

/// The short form of a config, `serve: { type: shop, url: … }`, for the whole graph of one upstream.
///
/// It is replaced in the config's tree by stores, sinks, monitors and providers, before any component is read. These
/// have the positions of the user's keys, so that their readers report problems where the user wrote them.
package enum ShopGraph {
    /// The type of the short form.
    static let type = "shop"
    /// The key at which the short form stands.
    static let key = "serve"

    /// Its own keys, and the keys that it hands to the components of the graph.
    package static let fields: [FieldSpec] =
        [
            .required("url", .url, "the products' URL, with path and query"),
            .defaulted("data", .path, "/var/lib/larder", "the directory of the store and of events"),
            .defaulted(
                "gate", .any, "usual",
                "the profile of validated: usual, strict or off; or keys of validated, with a profile among them"),
            .defaulted(
                "monitor", .any, "tcp",
                "how the upstream is found to be away: tcp, http or none, or a monitor with its type and keys; the default is none "
                    + "with fleet, and else http with proxy"),
            .defaulted(
                "events", .any, "file",
                "where events go: file, log or none, or a sink with its type and keys"),
            .optional(
                "fleet", .any,
                "the URL of Redis or Valkey, by which replicas share the catalogue; or keys of a store of the type redis"
            ),
        ] + parts.flatMap(\.fields)

    /// The components whose keys it takes as they are, with those keys.
    package static let parts: [(component: String, fields: [FieldSpec])] = [
        ("memory", fields(of: MemoryProductsProviderDecorator.spec.fields, without: ["upstream"])),
        ("request of http", fields(of: ConfiguredRequestTemplate.fields, without: ["base_url", "path"])),
        ("http", fields(of: HTTPProductsProvider.spec.fields, without: ["request"])),
        ("json_file", fields(of: JSONFileProductsStore.spec.fields, without: ["directory"])),
    ]

    private static func fields(of all: [FieldSpec], without names: Set<String>) -> [FieldSpec] {
        all.filter { !names.contains($0.name) }
    }

    /// For the reference, the schema, and shops anywhere else than at `serve`.
    static let spec = ComponentSpec<ProviderFamily>(
        type: type,
        summary: "the whole graph of one upstream in one line, at serve alone; larder config expand prints it",
        fields: fields,
        example: "{ type: shop, url: \"https://shop.example/products\", data: /var/lib/larder }",
        plan: { reader in
            reader.report(.error, at: nil, "a shop stands for the whole graph, so that its place is \"\(key)\" alone")
            return { _ in preconditionFailure("a shop was made") }
        })

    /// Replaces the short form in a document by its graph; returns any other document unchanged.
    package static func expanded(_ document: ConfigDocument) -> ConfigDocument {
        expansion(of: document)?.document ?? document
    }

    /// The document with the graph in place of the short form, and notes for its readers; nil without a short form.
    package static func expansion(of document: ConfigDocument) -> (document: ConfigDocument, notes: [String])? {
        guard let entries = document.root.entries, let served = entries.first(where: { $0.key == key }),
            served.value["type"]?.text == type
        else { return nil }
        let (expansion, problems) = ConfigurationCheck.reading(served.value, fields: fields, as: type) { reader in
            ShopExpansion(of: served.value, reader)
        }
        var merge = SectionMerge(entries, shop: served)
        for part in expansion.parts { merge.add(part) }
        let root = ConfigNode(merge.wholeEntries, at: document.root.position)
        return (document.replacing(root, adding: problems + merge.problems), expansion.notes)
    }
}

/// A labelled component of a shop's graph.
struct ShopPart {
    let section: String
    let label: String
    let node: ConfigNode
}

/// Adds labelled components to the sections of a config.
private struct SectionMerge {
    private(set) var problems: [Diagnostic] = []
    private var entries: [ConfigNode.Entry]
    private let shop: ConfigNode.Entry

    init(_ entries: [ConfigNode.Entry], shop: ConfigNode.Entry) {
        self.entries = entries.filter { $0.key != shop.key }
        self.shop = shop
    }

    /// All entries, with the label of the served component in place of the shop.
    var wholeEntries: [ConfigNode.Entry] {
        entries + [shop.replacing(ConfigNode(word: ShopExpansion.served, at: shop.value.position))]
    }

    mutating func add(_ part: ShopPart) {
        let new = ConfigNode.Entry(part.label, part.node)
        guard let index = entries.firstIndex(where: { $0.key == part.section }) else {
            entries.append(ConfigNode.Entry(part.section, ConfigNode([new], at: shop.value.position)))
            return
        }
        let section = entries[index].value
        if section.entries == nil, !section.isNull, !section.isBroken {
            problems.append(
                Diagnostic(
                    .error, at: section.position,
                    "\"\(part.section)\": expected mapping of components, found \(section.found)"))
        }
        let others = (section.entries ?? []).filter { other in
            guard other.key == part.label else { return true }
            problems.append(
                Diagnostic(
                    .error, at: other.keyPosition,
                    "\"\(part.label)\" of \"\(part.section)\" is one of the shop at line \(shop.value.position.line); "
                        + "give this one another name"))
            return false
        }
        entries[index] = entries[index].replacing(ConfigNode(others + [new], at: section.position))
    }
}
