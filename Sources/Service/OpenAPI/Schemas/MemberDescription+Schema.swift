internal import JSON
internal import Products

extension MemberDescription {
    /// The member in a schema.
    var property: SchemaProperty {
        SchemaProperty(name: name, schema: form.schema, meaning: meaning, isAlwaysThere: isAlwaysThere)
    }
}

extension MemberDescription.Form {
    /// What it may be. What the source has beside the members of an object is passed on.
    fileprivate var schema: JSONObject {
        switch self {
        case .text: Schema.text
        case .filledText: Schema.filledText
        case .flag: Schema.flag
        case .integer: Schema.integer
        case .decimal: Schema.number
        case .object(let members): Schema.object(members.map(\.property), isOpen: true)
        case .list(let element): Schema.list(of: element.schema)
        case .product: Schema.named(ProductSchemas.product)
        }
    }
}
