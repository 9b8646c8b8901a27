package import JSON
internal import Products

/// The schemas of what operators are told of the graph.
enum GraphSchemas {
    static let graph = "Graph"
    static let explanation = "Explanation"
    static let time = Schema.text(matching: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$")

    /// Every schema, by its name.
    static var all: JSONObject {
        [
            graph: .object(GraphReport.schema),
            explanation: .object(ExplainedAnswer.schema),
        ]
    }

    /// Members of both: what is known of an answer.
    static func answer(_ member: (String, JSONObject, String) -> SchemaProperty) -> [SchemaProperty] {
        [
            member("age_seconds", Schema.number, "how long ago the source confirmed the catalogue"),
            member("fetched_at", time, "when it did"),
            member("origin", Schema.choice(of: ProductsOrigin.allCases.map(\.rawValue)), "where it came from"),
            member("products", Schema.count, "how many products it has"),
            member("revision", Schema.text, "what names its content"),
        ]
    }

    /// Members of both: for how long something may still be done with an answer.
    static func windows(_ member: (String, JSONObject, String) -> SchemaProperty) -> [SchemaProperty] {
        [
            member("fresh_for_seconds", Schema.number, "how long it will be fresh; negative when it is no more"),
            member("servable_for_seconds", Schema.number, "how long it may be served"),
        ]
    }

    /// Members of both: why something failed.
    static let failure: [SchemaProperty] = [
        .always("reason", Schema.filledText, "the reason in a word"),
        .always("detail", Schema.text, "the reason in words"),
    ]
}

/// The schemas that the descriptions of a port's routes refer to, by their names.
package enum PortSchemas {
    /// Of the port that clients use.
    package static var products: JSONObject {
        var schemas = PageSchemas.all
        schemas.add(ProductSchemas.all)
        schemas.add(common)
        return schemas
    }

    /// Of the port that operators use.
    package static var operators: JSONObject {
        var schemas = GraphSchemas.all
        schemas.add(common)
        return schemas
    }

    private static let common: JSONObject = [
        HealthSchema.name: .object(HealthSchema.schema), ProblemSchema.name: .object(ProblemSchema.schema),
    ]
}
