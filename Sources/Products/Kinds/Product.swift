public import JSON

/// One product of any kind.
///
/// The set of kinds is closed, see ``ProductVariant``; the member `type` names the kind. The canonical encoding has the
/// members `type`, `id`, `name`, `price`, `sales`, `description`, `imageURL`, `category`, those of the kind, and then the
/// attributes.
public protocol Product: Sendable, Codable {
    /// The members that all kinds share.
    var details: ProductDetails { get }
    /// The value of `type`: a ``ProductKind``'s raw value, or an unknown one.
    var typeName: String { get }
    /// The product as a case of its kind.
    var variant: ProductVariant { get }
}

extension Product {
    /// Unique in a catalogue.
    public var id: String { details.id }
    /// The name.
    public var name: String { details.name }
    /// The price of one.
    public var price: Price { details.price }
    /// The number sold.
    public var sales: Int { details.sales }
    /// A description.
    public var description: String? { details.description }
    /// The URL of a picture.
    public var imageURL: String? { details.imageURL }
    /// The category.
    public var category: String? { details.category }
    /// The members that no kind names, in their order, to be written back unchanged.
    public var attributes: JSONObject { details.attributes }
}

/// The members that all kinds share.
public struct ProductDetails: Sendable, Hashable {
    /// Unique in a catalogue. A number in JSON becomes its text.
    public var id: String
    /// The name.
    public var name: String
    /// The price of one.
    public var price: Price
    /// The number sold; zero if the source does not state it.
    public var sales: Int
    /// A description.
    public var description: String?
    /// The URL of a picture.
    public var imageURL: String?
    /// The category.
    public var category: String?
    /// The members that no kind names. One with the name of a known member, `isPopular` included, is never written.
    public var attributes: JSONObject

    /// Creates details.
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

    /// Reads the details and, as attributes, all members that are not known.
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
        members[ProductMember.category] = category.map(JSONValue.string)
        return members
    }

    /// Adds the attributes after the members of the kind.
    func addAttributes(to members: inout JSONObject, known: Set<String>) {
        for attribute in attributes.members where !known.contains(attribute.key) {
            members[attribute.key] = attribute.value
        }
    }
}

/// A product by its kind, so that the compiler checks switches over kinds for completeness.
public enum ProductVariant: Sendable {
    case physical(PhysicalProduct)
    case digital(DigitalProduct)
    case subscription(SubscriptionProduct)
    case bundle(BundleProduct)
    case giftCard(GiftCardProduct)
    /// A product of an unknown kind.
    case kept(KeptProduct)
}
