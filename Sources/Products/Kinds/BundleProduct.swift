import JSON
import PolymorphicCodable

/// Several products sold as one.
///
/// What is in a bundle is described in it and not looked up by id, so it may also be sold alone, and other bundles may
/// hold it too.
public struct BundleProduct: Product {
    /// How many bundles may be within each other, the outermost included.
    public static let depthLimit = 8

    /// What it has in common with products of every kind.
    public var details: ProductDetails
    /// What is in it, in the source's order. Products of any kind, bundles too, to a depth of ``depthLimit``.
    public var products: [any Product]
    /// What can be had with it for more.
    public var addOn: (any Product)?

    /// A product that is made of others.
    public init(details: ProductDetails, products: [any Product], addOn: (any Product)? = nil) {
        self.details = details
        self.products = products
        self.addOn = addOn
    }

    /// `bundle`.
    public var typeName: String { ProductKind.bundle.rawValue }
    /// The product, as one of all kinds.
    public var variant: ProductVariant { .bundle(self) }

    private static let known = ProductMember.common.union([ProductMember.products, ProductMember.addOn])

    /// Reads a product; errors name the member that is missing or of a wrong type, in nested products too.
    public init(from decoder: any Decoder) throws {
        let depth = try BundleDepth(of: decoder)
        let reader = try MemberReader(decoder)
        details = try ProductDetails(reader, known: Self.known)
        let members = try reader.container(userInfo: depth.within(decoder.userInfo))
        products = try members.decodePolymorphic([ProductKind].self, forKey: .name(ProductMember.products))
        addOn = try members.decodePolymorphicIfPresent(ProductKind.self, forKey: .name(ProductMember.addOn))
    }

    /// Writes the product in its canonical form.
    /// - Throws: `EncodingError` also when bundles are nested deeper than ``depthLimit``.
    public func encode(to encoder: any Encoder) throws {
        try BundleDepth.check(self, in: encoder)
        let common = try details.members(of: typeName, at: MemberPath(encoder))
        var container = encoder.container(keyedBy: JSONPathKey.self)
        for member in common.members { try container.encode(member.value, forKey: .name(member.key)) }
        try container.encodePolymorphic(products, forKey: .name(ProductMember.products))
        if let addOn { try container.encode(addOn, forKey: .name(ProductMember.addOn)) }
        for attribute in details.attributes.members where !Self.known.contains(attribute.key) {
            try container.encode(attribute.value, forKey: .name(attribute.key))
        }
    }
}

/// How deep in other bundles a bundle is.
///
/// Bounded because what holds products in itself is read and written by recursion, and a hostile document must not be
/// able to exhaust the stack.
struct BundleDepth {
    private static let key: CodingUserInfoKey = {
        guard let key = CodingUserInfoKey(rawValue: "larder.bundleDepth") else {
            preconditionFailure("a user info key can have any name")
        }
        return key
    }()
    private static let tooDeep = "bundles are nested deeper than \(BundleProduct.depthLimit)"

    private let depth: Int

    /// The depth of the bundle that a decoder stands at.
    /// - Throws: `DecodingError` when it is beyond the limit.
    init(of decoder: any Decoder) throws {
        depth = decoder.userInfo[Self.key] as? Int ?? 1
        guard depth <= BundleProduct.depthLimit else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: Self.tooDeep))
        }
    }

    /// What the decoders of the products in the bundle are to carry.
    func within(_ userInfo: [CodingUserInfoKey: Any]) -> [CodingUserInfoKey: Any] {
        userInfo.merging([Self.key: depth + 1]) { $1 }
    }

    /// Looks for the bundle that is too deep within another, before any is written.
    /// - Throws: `EncodingError` with the path of that bundle.
    static func check(_ bundle: BundleProduct, in encoder: any Encoder) throws {
        try check(bundle, at: MemberPath(encoder), depth: 1)
    }

    private static func check(_ bundle: BundleProduct, at path: MemberPath, depth: Int) throws {
        guard depth <= BundleProduct.depthLimit else {
            throw EncodingError.invalidValue(
                bundle, EncodingError.Context(codingPath: path.codingPath, debugDescription: tooDeep))
        }
        for case (let index, let inner as BundleProduct) in bundle.products.enumerated() {
            try check(inner, at: path[ProductMember.products][index], depth: depth + 1)
        }
        guard let inner = bundle.addOn as? BundleProduct else { return }
        try check(inner, at: path[ProductMember.addOn], depth: depth + 1)
    }
}
