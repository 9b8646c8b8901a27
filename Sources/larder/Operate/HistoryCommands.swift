internal import ArgumentParser
internal import JSON
internal import Text

struct History: Command {
    static let configuration = CommandConfiguration(
        abstract: "Lists the generations that a running service keeps, newest first.",
        discussion: "ADDED, REMOVED and CHANGED count products against the generation before.")

    @OptionGroup var port: OperatorsPort

    @Option(help: "The store, by its name in metrics. By default the only one, or the shared one.")
    var store: String?

    func run(in environment: CommandEnvironment) async throws {
        try await port.ask(.show, "/history", [("store", store)], in: environment, text: Self.text)
    }

    private static func text(_ response: JSONObject) -> String {
        let pin = response["pin"]?.object
        let generations = response["generations"]?.array?.compactMap(\.object) ?? []
        let rows = generations.map { row($0, isPinned: $0["generation"] == pin?["generation"]) }
        let state = pin.map(PinText.sentence) ?? "nothing is pinned"
        return "\(response.text("store")): \(state)\n"
            + (rows.isEmpty ? "no generations\n" : TextTable(columns: columns, rows: rows).text)
    }

    private static let columns: [TextTable.Column] = [
        .init(title: "GENERATION", isNumber: true), .init(title: "REVISION"), .init(title: "FETCHED"),
        .init(title: "SOURCE"), .init(title: "PRODUCTS", isNumber: true), .init(title: "BYTES", isNumber: true),
        .init(title: "ADDED", isNumber: true), .init(title: "REMOVED", isNumber: true),
        .init(title: "CHANGED", isNumber: true), .init(title: "STATE"),
    ]

    private static func row(_ generation: JSONObject, isPinned: Bool) -> [String] {
        [generation.text("generation"), generation.revision("revision")]
            + ["fetchedAt", "origin", "products", "bytes", "added", "removed", "changed"].map(generation.text)
            + [isPinned ? "pinned" : ""]
    }
}

struct Diff: Command {
    static let configuration = CommandConfiguration(
        abstract: "Shows the products that differ between two generations, prices first.",
        discussion: """
            A generation is named by its number, by the beginning of its revision, or as `newest`; `current` is the \
            catalogue that is served.
            """)

    @OptionGroup var port: OperatorsPort

    @Argument(help: "The generation before.")
    var from: String

    @Argument(help: "The generation after.")
    var to: String

    @Option(help: "The id of the only product to compare.")
    var id: String?

    @Option(help: "The store, by its name in metrics. By default the only one, or the shared one.")
    var store: String?

    func run(in environment: CommandEnvironment) async throws {
        try await port.ask(
            .show, "/diff", [("from", from), ("to", to), ("id", id), ("store", store)], in: environment
        ) { DifferenceText($0).text }
    }
}

/// The difference between two catalogues as lines for a terminal: prices first, and the counts last, where they remain
/// visible after many lines.
struct DifferenceText {
    let text: String

    init(_ difference: JSONObject) {
        let members = (difference["changed"]?.array ?? []).compactMap(\.object).flatMap { product in
            (product["members"]?.array ?? []).compactMap(\.object).map { (id: product.text("id"), member: $0) }
        }
        let isPrice = members.map { $0.member["member"]?.string?.hasPrefix("price") == true }
        let sorted = members.indices.filter { isPrice[$0] } + members.indices.filter { !isPrice[$0] }
        var lines = sorted.map { index in
            let (id, member) = members[index]
            return "\(id)  \(member.text("member"))  \(Self.value(member["from"])) -> \(Self.value(member["to"]))"
        }
        lines += Self.ids(difference, "added") + Self.ids(difference, "removed")
        let counts = difference["counts"]?.object ?? [:]
        if difference["truncated"] == true { lines.append("…") }
        lines.append(
            "\(Self.name(difference["from"]?.object)) -> \(Self.name(difference["to"]?.object)): "
                + "\(counts.text("added")) added, \(counts.text("removed")) removed, \(counts.text("changed")) changed, "
                + "\(difference.text("priceChanges")) of these in price")
        text = lines.map { "\($0)\n" }.joined()
    }

    private static func value(_ value: JSONValue?) -> String {
        guard let value, !value.isNull else { return "none" }
        return "\(value)".printable
    }

    private static func ids(_ difference: JSONObject, _ list: String) -> [String] {
        (difference[list]?.array ?? []).compactMap(\.string).map { "\($0.printable)  \(list)" }
    }

    private static func name(_ side: JSONObject?) -> String {
        guard let side else { return "-" }
        let revision = "revision \(side.revision("revision"))"
        return side["generation"]?.number == nil
            ? revision : "generation \(side.text("generation")) (\(revision))"
    }
}
