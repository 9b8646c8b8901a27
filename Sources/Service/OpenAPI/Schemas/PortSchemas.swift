internal import JSON

/// The schemas that the descriptions of a port's routes refer to, by their names.
enum PortSchemas {
    /// Of the port that clients use.
    static var products: JSONObject {
        var schemas = PageSchemas.all
        schemas.add(ProductSchemas.all)
        schemas.add(common)
        return schemas
    }

    /// Of the port that operators use.
    static var operators: JSONObject {
        var schemas = GraphSchemas.all
        schemas.add(common)
        return schemas
    }

    private static let common: JSONObject = [
        HealthSchema.name: .object(HealthSchema.schema), ProblemSchema.name: .object(ProblemSchema.schema),
    ]
}
