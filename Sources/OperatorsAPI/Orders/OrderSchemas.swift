package import JSON
internal import OpenAPI

/// The schemas of the responses of the port for operators, by name.
package enum OrderSchemas {
    package static let all: JSONObject = [
        "Failure": .object(failure), "Pin": .object(pin), "Generation": .object(generation),
        "Difference": .object(difference),
        "Refresh": .object(Schema.object(members(of: [.always("node", label, "the memory")]))),
        "Refreshes": .object(refreshes), "Refused": .object(refused),
    ]

    static func orNull(_ schema: JSONObject) -> JSONObject { Schema.any(of: [schema, ["type": "null"]]) }

    static let label = Schema.filledText
    static let revision = Schema.text(matching: "^[0-9a-f]{4,64}$")

    private static let failure = Schema.object([
        .always("reason", Schema.filledText, "the kind of failure, as in metrics"),
        .always("detail", Schema.filledText, "what happened"),
    ])

    private static let pin = Schema.object(pinMembers)

    static let pinMembers: [SchemaProperty] = [
        .always("generation", Schema.count, "the generation that is served"),
        .always("revision", revision, "its revision"),
        .always("at", Schema.time, "when it was pinned"),
        .always("by", Schema.filledText, "the id of the order, and the address that it came from"),
        .always("reason", orNull(Schema.text), "why"),
        .always("written", Schema.flag, "whether it is on disk and outlasts a restart"),
    ]

    static let served = Schema.object([
        .always("node", label, "the memory"), .always("revision", orNull(revision), "the revision that it serves"),
        .always("pinned", Schema.flag, "whether it is pinned"),
        .always("failure", orNull(Schema.named("Failure")), "why it is not another one"),
    ])

    private static let generation = Schema.object([
        .always("generation", Schema.count, "its number"), .always("revision", revision, "its revision"),
        .always("fetchedAt", Schema.time, "when the source last confirmed it"),
        .always("origin", Schema.filledText, "where it came from"),
        .always("products", Schema.count, "the number of products"), .always("bytes", Schema.count, "its size"),
        .always("added", orNull(Schema.count), "products that the generation before lacks"),
        .always("removed", orNull(Schema.count), "products that only the generation before has"),
        .always("changed", orNull(Schema.count), "products that have changed"),
    ])

    private static let difference: JSONObject = {
        let side = Schema.object([
            .always("generation", orNull(Schema.count), "its number, where a store has it"),
            .always("revision", revision, "its revision"),
        ])
        let ids = Schema.list(of: Schema.text)
        let member = Schema.object([
            .always("member", Schema.text, "the path of the member"), .always("from", [:], "its value before"),
            .always("to", [:], "its value after"),
        ])
        let product = Schema.object([
            .always("id", Schema.text, "the product"), .always("members", Schema.list(of: member), "prices first"),
        ])
        let counts = Schema.object(
            ["added", "removed", "changed"].map { SchemaProperty.always($0, Schema.count, "products \($0)") })
        return Schema.object([
            .always("from", side, "the catalogue before"), .always("to", side, "the catalogue after"),
            .always("counts", counts, "the numbers of products"),
            .always("added", ids, "the first thousand ids"), .always("removed", ids, "the first thousand ids"),
            .always("changed", Schema.list(of: product), "the first thousand products, new prices first"),
            .always("priceChanges", Schema.count, "the number of products with another price"),
            .always("truncated", Schema.flag, "whether the list is incomplete"),
        ])
    }()

    /// The members of one refresh.
    private static func members(of others: [SchemaProperty], isAlways: Bool = true) -> [SchemaProperty] {
        let make = isAlways ? SchemaProperty.always : SchemaProperty.sometimes
        return others + [
            make("outcome", Schema.choice(of: ["fetched", "unchanged", "failed"]), "the outcome"),
            make("revision", orNull(revision), "the revision after it"),
            make("before", orNull(revision), "the revision before it"),
            make("added", Schema.count, "products added"), make("removed", Schema.count, "products removed"),
            make("changed", Schema.count, "products changed"),
            .sometimes("pinned", Schema.flag, "whether a pinned generation is served"),
            .sometimes("failure", Schema.named("Failure"), "why it failed"),
        ]
    }

    /// The members of a problem about a failed refresh, with those of the refresh if there was only one.
    private static let refreshes = Schema.object(
        members(
            of: [
                .always("results", Schema.list(of: Schema.named("Refresh")), "each refresh"),
                .sometimes("node", label, "the provider that had refused the accepted catalogue"),
                .sometimes("accepted", revision, "the accepted revision"),
                .sometimes("shared", Schema.flag, "whether the other replicas accept it as well"),
                .sometimes("type", Schema.text, "of a problem"), .sometimes("title", Schema.text, "of a problem"),
                .sometimes("status", Schema.count, "of a problem"), .sometimes("detail", Schema.text, "of a problem"),
            ], isAlways: false))

    private static let refused = Schema.object([
        .always("node", label, "the provider that refused it"), .always("revision", revision, "its revision"),
        .always("products", Schema.count, "the number of products"),
        .always("since", Schema.time, "when it was refused"),
        .always("heldUntil", orNull(Schema.time), "when it passes by itself"),
        .always("failure", Schema.named("Failure"), "why it was refused"),
        .always("difference", orNull(Schema.named("Difference")), "its difference from the served one"),
    ])
}
