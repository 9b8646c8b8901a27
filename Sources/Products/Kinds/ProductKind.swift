internal import PolymorphicCodable

/// The known kinds of product, by the value of `type`.
package enum ProductKind: String, Sendable, Hashable, KeepingPolymorphicFamily {
    case physical
    case digital
    case subscription
    case bundle
    case giftCard

    package typealias Base = any Product

    /// Returns the type for the kind.
    private var product: any KnownProduct.Type {
        switch self {
        case .physical: PhysicalProduct.self
        case .digital: DigitalProduct.self
        case .subscription: SubscriptionProduct.self
        case .bundle: BundleProduct.self
        case .giftCard: GiftCardProduct.self
        }
    }

    package var type: any Decodable.Type { product }
    package static var keptType: any Decodable.Type { KeptProduct.self }
    /// The description of the kind, as a part of a sentence.
    package var meaning: String { product.meaning }
    /// The members of this kind in addition to ``ProductDetails/members``.
    package var members: [MemberDescription] { product.members }
}

package enum ProductMember {
    static let type = "type"
    package static let id = "id"
    static let name = "name"
    package static let price = "price"
    static let sales = "sales"
    static let description = "description"
    static let imageURL = "imageURL"
    static let category = "category"
    static let isPopular = "isPopular"
    static let weight = "weight"
    static let dimensions = "dimensions"
    static let downloadURL = "downloadURL"
    static let size = "size"
    static let interval = "interval"
    static let trialDays = "trialDays"
    static let products = "products"
    static let addOn = "addOn"
    static let denominations = "denominations"

    /// The members of every kind. `isPopular` is one of them because the service computes it: an upstream's value is
    /// dropped.
    static let common: Set = [type, id, name, price, sales, description, imageURL, category, isPopular]
}

extension ProductDetails {
    /// The members of every kind in ``ProductsListing/encoded()``, apart from `type`.
    package static let members: [MemberDescription] = [
        .always(ProductMember.id, .filledText, "the unique id of the product"),
        .always(ProductMember.name, .text, "its name"),
        .always(ProductMember.price, .object(Price.memberDescriptions), "its price"),
        .always(ProductMember.sales, .integer, "the number sold"),
        .sometimes(ProductMember.description, .text, "a text about it"),
        .sometimes(ProductMember.imageURL, .text, "the URL of a picture"),
        .sometimes(ProductMember.category, .categories, "its category, or several"),
        .always(ProductMember.isPopular, .flag, "whether it is popular"),
    ]
}

/// A member of the JSON that clients receive, for API documentation.
package struct MemberDescription: Sendable, Hashable {
    /// The type of a member's value.
    package indirect enum Form: Sendable, Hashable {
        /// A text, possibly empty.
        case text
        /// A text that is not empty.
        case filledText
        /// `true` or `false`.
        case flag
        case integer
        /// A number, exact to the digit.
        case decimal
        /// An object with these members, and others of the source.
        case object([MemberDescription])
        case list(Form)
        /// See ``ProductCategories``.
        case categories
        /// A whole product of any kind.
        case product
    }

    package let name: String
    package let form: Form
    /// The description, as a part of a sentence.
    package let meaning: String
    /// Whether every such object has the member.
    package let isAlwaysThere: Bool

    static func always(_ name: String, _ form: Form, _ meaning: String) -> MemberDescription {
        MemberDescription(name: name, form: form, meaning: meaning, isAlwaysThere: true)
    }

    static func sometimes(_ name: String, _ form: Form, _ meaning: String) -> MemberDescription {
        MemberDescription(name: name, form: form, meaning: meaning, isAlwaysThere: false)
    }
}
