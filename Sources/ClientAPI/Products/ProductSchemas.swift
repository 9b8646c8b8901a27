package import JSON
internal import OpenAPI
internal import Products
internal import Querying

/// The schemas of products and their pages, made from the members of each kind.
package enum ProductSchemas {
    static let page = "ProductsPage"
    static let displayedPage = "DisplayedProductsPage"
    static let partPage = "ProductPartsPage"
    static let product = "Product"
    static let displayed = "DisplayedProduct"
    static let part = "ProductPart"
    static let category = "Category"
    private static let details = "ProductDetails"
    private static let other = "OtherProduct"
    private static let variant = "SoldVariant"
    private static let range = "PriceRange"
    private static let discriminator = "type"

    /// Every schema, by its name.
    package static var all: JSONObject {
        var all: JSONObject = [
            page: .object(page(of: product, "Products as they are.")),
            displayedPage: .object(page(of: displayed, "Products with display texts: with `view=display`.")),
            partPage: .object(page(of: part, "Products without some members: with `fields`.")),
            product: .object(anyKind),
            details: .object(
                Schema.object(
                    ProductDetails.members.map(\.property) + attributes, isOpen: true,
                    "The members of every kind of product. Members that no kind names are passed on from the source.")),
            variant: .object(
                Schema.object(
                    SoldVariants.members.map(\.property), isOpen: true, "A variant in which a product is sold.")),
            range: .object(
                Schema.object(
                    SoldVariants.rangeMembers.map(\.property), isOpen: true, "The range of the prices of variants.")),
        ]
        for kind in ProductKind.allCases { all[name(of: kind)] = .object(schema(of: kind)) }
        all[other] = .object(otherKind)
        all[category] = .object(categoryNode)
        all[displayed] = .object(
            Schema.object(DisplayedCatalogue.members.map(\.property), "A product with texts for a shop's page."))
        all[part] = .object(somePart)
        return all
    }

    /// The attributes that mappings make. A source may have others of their names, which are passed on.
    private static let attributes: [SchemaProperty] = [
        .sometimes(
            SoldVariants.name, Schema.usually(Schema.list(of: Schema.named(variant))),
            "the variants in which it is sold, if they are mapped"),
        .sometimes(
            SoldVariants.range, Schema.usually(Schema.named(range)),
            "the range of their prices, if its own is the least of them"),
        .sometimes("images", Schema.usually(Schema.list(of: Schema.text)), "the URLs of pictures, if they are mapped"),
        .sometimes("unconverted", Schema.usually(["type": "object"]), "members of the source whose form differs"),
        .sometimes(
            LocalizedTexts.name, Schema.usually(["type": "object"]), "texts in other languages, by member and language"),
    ]

    private static func page(of product: String, _ description: String) -> JSONObject {
        Schema.object(
            [
                .always("products", Schema.list(of: Schema.named(product)), "the products of the page, in their order"),
                .always("total", Schema.count, "the number of products on all pages"),
                .sometimes("variant", Schema.filledText, "the variant that has the wanted key, by its id or SKU"),
                .sometimes("facets", facets, "the counted values of each member of `facets`, the most frequent first"),
                .sometimes(
                    "next", Schema.cursor, "the value of `cursor` for the next page; absent on the last page"),
            ], description)
    }

    private static var facets: JSONObject {
        let count = Schema.object([
            .always("value", JSONObject(), "a text, a number, or `true` or `false`"),
            .always("count", Schema.count, "the number of products with it"),
        ])
        return ["type": "object", "additionalProperties": .object(Schema.list(of: count))]
    }

    private static var categoryNode: JSONObject {
        Schema.object(
            [
                .always("name", Schema.text, "its name"),
                .sometimes("id", JSONObject(), "its id as the products state it"),
                .always("path", Schema.list(of: Schema.text), "the names from the root to it"),
                .always("count", Schema.count, "the number of products in it and below it"),
                .sometimes(
                    "categories", Schema.list(of: Schema.named(category)), "the categories right below it, by name"),
            ], "A category.")
    }

    /// Each schema states its `type`. A discriminator would refuse the kinds that are unknown, which it cannot list.
    private static var anyKind: JSONObject {
        let references = (ProductKind.allCases.map(name(of:)) + [other]).map { JSONValue.object(Schema.named($0)) }
        return ["description": "A product of any kind, by its `type`.", "oneOf": .array(references)]
    }

    /// The name of the type in Swift.
    private static func name(of kind: ProductKind) -> String { "\(kind.type)" }

    private static func schema(of kind: ProductKind) -> JSONObject {
        let type = SchemaProperty.always(discriminator, ["const": .string(kind.rawValue)], "the kind")
        return extendedDetails(
            by: [type] + kind.members.map(\.property), Sentence.of("a product that is \(kind.meaning)"))
    }

    /// A kind unknown to the domain, which is passed on unchanged.
    private static var otherKind: JSONObject {
        let known = ProductKind.allCases.map { JSONValue.string($0.rawValue) }
        let type = SchemaProperty.always(
            discriminator, ["type": "string", "not": .object(["enum": .array(known)])], "the source's word for the kind"
        )
        return extendedDetails(by: [type], "A product of an unknown kind.")
    }

    private static func extendedDetails(by properties: [SchemaProperty], _ description: String) -> JSONObject {
        [
            "description": .string(description),
            "allOf": .array([
                .object(Schema.named(details)), .object(Schema.object(properties, isOpen: true)),
            ]),
        ]
    }

    private static var somePart: JSONObject {
        Schema.object(
            [
                .always(discriminator, Schema.text, "the product's kind"),
                .always("id", Schema.filledText, "the unique id of the product"),
            ], isOpen: true, "The members of a product, or of a product as it is shown, that `fields` names.")
    }
}

extension Schema {
    private static let null: JSONObject = ["type": "null"]
    /// A text, or an object that names the category.
    fileprivate static let category = [
        text,
        object(
            [
                .sometimes("name", any(of: [text, null]), "its name"),
                .sometimes("path", any(of: [text, list(of: text), null]), "its place in the source's tree"),
                .sometimes("id", any(of: [text, number, null]), "the source's id"),
            ], isOpen: true),
    ]

    /// Any value, but most often one of this form.
    fileprivate static func usually(_ schema: JSONObject) -> JSONObject {
        any(of: [schema, ["description": "Another form, as the source has it."]])
    }

    static let cursor = text(matching: "^[A-Za-z0-9_-]{\(PageCursor.textLength)}$")
}

extension MemberDescription {
    var property: SchemaProperty {
        SchemaProperty(name: name, schema: form.schema, meaning: meaning, isAlwaysThere: isAlwaysThere)
    }
}

extension MemberDescription.Form {
    /// Objects are open, because further members of the source are passed on.
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
        case .categories: Schema.any(of: Schema.category + [Schema.list(of: Schema.any(of: Schema.category))])
        }
    }
}
