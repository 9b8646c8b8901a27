package import JSON

/// One product of any kind.
///
/// The set of kinds is closed, see ``ProductVariant``; the member `type` names the kind. The canonical encoding has the
/// members `type`, `id`, `name`, `price`, `sales`, `description`, `imageURL`, `category`, those of the kind, and then
/// the attributes.
package protocol Product: Sendable, Codable {
    var details: ProductDetails { get set }
    /// The value of `type`: a ``ProductKind``'s raw value, or an unknown one.
    var typeName: String { get }
    var variant: ProductVariant { get }
    /// The products within it; nil for a kind that holds none.
    var contents: ProductContents? { get }

    /// Returns the product with each product directly within it changed.
    func mapContents(_ change: (any Product) -> any Product) -> Self
}

/// A product of one of the known kinds, see ``ProductKind``.
package protocol KnownProduct: Product {
    /// The description of the kind, as a part of a sentence.
    static var meaning: String { get }
    /// The members of the kind in addition to ``ProductDetails/members``, for API documentation and mappings.
    static var members: [MemberDescription] { get }
}

/// The products that a product holds in the members `products` and `addOn` of its JSON, where marks are written.
package struct ProductContents: Sendable {
    /// The products that its price includes, in the source's order.
    package let products: [any Product]
    /// A product at an extra charge.
    package let addOn: (any Product)?
}

extension Product {
    /// Unique in a catalogue.
    package var id: String { details.id }
    package var name: String { details.name }
    package var price: Price { details.price }
    package var sales: Int { details.sales }
    package var description: String? { details.description }
    package var imageURL: String? { details.imageURL }
    package var category: ProductCategories? { details.category }
    /// The members that no kind names, in their order, to be written back unchanged.
    package var attributes: JSONObject { details.attributes }
}

package struct ProductDetails: Sendable, Hashable {
    /// Unique in a catalogue. A number in JSON becomes its text.
    package var id: String
    package var name: String
    package var price: Price
    /// The number sold; zero if the source does not state it.
    package var sales: Int
    package var description: String?
    package var imageURL: String?
    package var category: ProductCategories?
    /// The members that no kind names. One named like a known member, `isPopular` included, is never written.
    package var attributes: JSONObject

    package init(
        id: String, name: String, price: Price, sales: Int = 0, description: String? = nil, imageURL: String? = nil,
        category: ProductCategories? = nil, attributes: JSONObject = JSONObject()
    ) {
        self.id = id
        self.name = name
        self.price = price
        self.sales = sales
        self.description = description
        self.imageURL = imageURL
        self.category = category
        self.attributes = attributes
    }

    /// Reads the details and, as attributes, all members that are not known.
    /// - Parameter known: the names of the common members and of the kind's.
    init(_ reader: MemberReader, known: Set<String>) throws {
        let (id, name) = (try reader.identifier(ProductMember.id), try reader.string(ProductMember.name))
        let (price, range) = try reader.priceAndRange()
        self.init(
            id: id, name: name, price: price,
            sales: try reader.integerIfPresent(ProductMember.sales) ?? 0,
            description: try reader.stringIfPresent(ProductMember.description),
            imageURL: try reader.stringIfPresent(ProductMember.imageURL),
            category: try reader.categoriesIfPresent(ProductMember.category))
        for member in reader.object.members where !known.contains(member.key) {
            attributes[member.key] = member.value
        }
        if let range { attributes[SoldVariants.range] = range }
    }

    /// The members before those of the kind.
    func members(of typeName: String, at path: @autoclosure () -> MemberPath) throws -> JSONObject {
        var members = JSONObject(minimumCapacity: 12 + attributes.count)
        members[ProductMember.type] = .string(typeName)
        members[ProductMember.id] = .string(id)
        members[ProductMember.name] = .string(name)
        members[ProductMember.price] = .object(try price.members(at: path()[ProductMember.price]))
        members[ProductMember.sales] = .number(JSONNumber(sales))
        members[ProductMember.description] = description.map(JSONValue.string)
        members[ProductMember.imageURL] = imageURL.map(JSONValue.string)
        members[ProductMember.category] = category?.json
        return members
    }

    /// Adds the attributes after the members of the kind.
    func addAttributes(to members: inout JSONObject, known: Set<String>) {
        for attribute in attributes.members where !known.contains(attribute.key) {
            members[attribute.key] = attribute.value
        }
    }
}

/// The categories that a product is listed under, as its source has them: a string, an object, or an array of both.
///
/// An object names a category by `name`, `path` or `id`; its other members are kept. Nothing is changed on the way to clients.
package struct ProductCategories: Sendable, Hashable, ExpressibleByStringLiteral {
    package let json: JSONValue

    package static let expected = "a string, an object with name, path or id, or an array of such"

    /// The members that name a category, the best for people first. A path may be an array of its steps.
    static let names = ["name", "path", "id"]

    /// Nil for a value of another form.
    package init?(_ value: JSONValue) {
        switch value {
        case .string: break
        case .object(let object):
            guard Self.isCategory(object) else { return nil }
        case .array(let elements):
            guard elements.allSatisfy(Self.isCategory) else { return nil }
        case .null, .bool, .number: return nil
        }
        json = value
    }

    package init(stringLiteral text: String) { self.init(text) }

    package init(_ text: String) { json = .string(text) }

    /// One text for each category.
    package var titles: [String] { categories.compactMap { $0.first?.joined(separator: " > ") } }

    /// The texts by which a query finds them.
    package var texts: [String] { categories.flatMap { $0.flatMap(\.self) } }

    /// The names of each category, each as its steps.
    private var categories: [[[String]]] {
        (json.array ?? [json]).map { category in
            if let text = category.string { return [[text]] }
            return Self.names.compactMap { category.object?[$0] }.filter { !$0.isNull }.map { name in
                (name.array ?? [name]).compactMap { $0.string ?? $0.number?.literal }
            }
        }
    }

    private static func isCategory(_ value: JSONValue) -> Bool {
        switch value {
        case .string: true
        case .object(let object): isCategory(object)
        case .null, .bool, .number, .array: false
        }
    }

    private static func isCategory(_ object: JSONObject) -> Bool {
        func isRight(_ member: String, _ isRight: (JSONValue) -> Bool) -> Bool {
            object[member].map { $0.isNull || isRight($0) } ?? true
        }
        return names.contains { object[$0].map { !$0.isNull } ?? false }
            && isRight("name") { $0.string != nil } && isRight("path") { $0.string != nil || isList($0) }
            && isRight("id") { $0.string != nil || $0.number != nil }
    }

    private static func isList(_ value: JSONValue) -> Bool {
        value.array.map { !$0.isEmpty && $0.allSatisfy { $0.string != nil } } ?? false
    }
}

extension MemberReader {
    /// A string, or an object with a name, or an array of both.
    func categoriesIfPresent(_ name: String) throws -> ProductCategories? {
        guard let value = present(name) else { return nil }
        guard let categories = ProductCategories(value) else {
            throw mismatch(name, value, expected: ProductCategories.expected)
        }
        return categories
    }
}

/// A product by its kind, so that the compiler checks switches over kinds for completeness.
package enum ProductVariant: Sendable {
    case physical(PhysicalProduct)
    case digital(DigitalProduct)
    case subscription(SubscriptionProduct)
    case bundle(BundleProduct)
    case giftCard(GiftCardProduct)
    /// A product of an unknown kind.
    case kept(KeptProduct)
}
