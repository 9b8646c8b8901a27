internal import JSON

/// The schemas that the descriptions of a port's routes refer to, by their names.
enum PortSchemas {
    /// Of the port that clients use.
    static var products: JSONObject {
        var schemas = PageSchemas.all
        schemas.add(ProductSchemas.all)
        schemas.add(problems)
        return schemas
    }

    /// Of the port that operators use.
    static var operators: JSONObject {
        var schemas = GraphSchemas.all
        schemas.add(problems)
        return schemas
    }

    private static let problems: JSONObject = [ProblemSchema.name: .object(ProblemSchema.schema)]
}
