public import JSON

/// One product of any kind.
///
/// The kinds are closed and listed in ``ProductVariant``; a product is decoded by the `type` it carries and writes that
/// `type` itself. Its canonical encoding has the members `type`, `id`, `name`, `price`, `sales`, `description`,
/// `imageURL`, `category`, those of the kind, and then the attributes.
public protocol Product: Sendable, Codable {
    /// What it has in common with products of every kind.
    var details: ProductDetails { get }
    /// The value of `type`: a ``ProductKind``'s raw value, or the unknown one that was kept.
    var typeName: String { get }
    /// The product itself, as one of the closed set of kinds.
    var variant: ProductVariant { get }
}

extension Product {
    /// What tells this product from all others of a catalogue.
    public var id: String { details.id }
    /// What people call it.
    public var name: String { details.name }
    /// What one costs.
    public var price: Price { details.price }
    /// How many have been sold.
    public var sales: Int { details.sales }
    /// A text about it.
    public var description: String? { details.description }
    /// Where a picture of it is.
    public var imageURL: String? { details.imageURL }
    /// What it is listed under.
    public var category: String? { details.category }
    /// The members that no kind names, in the order they came in, to be written back unchanged.
    public var attributes: JSONObject { details.attributes }
}

/// What products of every kind have, so that a kind adds only what is its own.
public struct ProductDetails: Sendable, Hashable {
    /// What tells this product from all others of a catalogue. A number in JSON becomes its text.
    public var id: String
    /// What people call it.
    public var name: String
    /// What one costs.
    public var price: Price
    /// How many have been sold; zero when the source does not say.
    public var sales: Int
    /// A text about it.
    public var description: String?
    /// Where a picture of it is.
    public var imageURL: String?
    /// What it is listed under.
    public var category: String?
    /// The members that no kind names. One that bears the name of a member we write, `isPopular` included, is never
    /// written.
    public var attributes: JSONObject

    /// Details of a product.
    public init(
        id: String, name: String, price: Price, sales: Int = 0, description: String? = nil, imageURL: String? = nil,
        category: String? = nil, attributes: JSONObject = JSONObject()
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

    /// Reads the details; whatever is neither among them nor named by the kind becomes an attribute.
    /// - Parameter known: the names of the common members and of the kind's.
    init(_ reader: MemberReader, known: Set<String>) throws {
        self.init(
            id: try reader.identifier(ProductMember.id),
            name: try reader.string(ProductMember.name),
            price: try Price(reader.object(ProductMember.price)),
            sales: try reader.integerIfPresent(ProductMember.sales) ?? 0,
            description: try reader.stringIfPresent(ProductMember.description),
            imageURL: try reader.stringIfPresent(ProductMember.imageURL),
            category: try reader.stringIfPresent(ProductMember.category))
        for member in reader.object.members where !known.contains(member.key) {
            attributes[member.key] = member.value
        }
    }

    /// The members that stand before those of the kind.
    func members(of typeName: String, at path: @autoclosure () -> MemberPath) throws -> JSONObject {
        var members = JSONObject(minimumCapacity: 12 + attributes.count)
        members[ProductMember.type] = .string(typeName)
        members[ProductMember.id] = .string(id)
        members[ProductMember.name] = .string(name)
        members[ProductMember.price] = .object(try price.members(at: path()[ProductMember.price]))
        members[ProductMember.sales] = .number(JSONNumber(sales))
        members[ProductMember.description] = description.map(JSONValue.string)
        members[ProductMember.imageURL] = imageURL.map(JSONValue.string)
        members[ProductMember.category] = category.map(JSONValue.string)
        return members
    }

    /// Adds the attributes, which stand after the members of the kind.
    func addAttributes(to members: inout JSONObject, known: Set<String>) {
        for attribute in attributes.members where !known.contains(attribute.key) {
            members[attribute.key] = attribute.value
        }
    }
}

/// A product as one of all the kinds there are, so that a switch over kinds is checked for completeness.
public enum ProductVariant: Sendable {
    /// Something that is sent by post.
    case physical(PhysicalProduct)
    /// Something that is downloaded.
    case digital(DigitalProduct)
    /// Something that is paid for again and again.
    case subscription(SubscriptionProduct)
    /// Several products sold as one.
    case bundle(BundleProduct)
    /// Money to be spent later.
    case giftCard(GiftCardProduct)
    /// Something of a kind that is not known here.
    case kept(KeptProduct)
}
