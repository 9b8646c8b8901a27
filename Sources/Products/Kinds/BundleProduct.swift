internal import JSON
internal import PolymorphicCodable

/// Several products sold as one.
///
/// A bundle contains whole products, not ids. They may also be sold alone and be part of other bundles.
package struct BundleProduct: KnownProduct {
    /// The limit of nesting, the outermost bundle included.
    package static let depthLimit = 8

    package var details: ProductDetails
    /// The products, also bundles, in the source's order.
    package var products: [any Product]
    /// An optional product at an extra charge.
    package var addOn: (any Product)?

    package init(details: ProductDetails, products: [any Product], addOn: (any Product)? = nil) {
        self.details = details
        self.products = products
        self.addOn = addOn
    }

    package var typeName: String { ProductKind.bundle.rawValue }
    package var variant: ProductVariant { .bundle(self) }
    package var contents: ProductContents? { ProductContents(products: products, addOn: addOn) }

    package func mapContents(_ change: (any Product) -> any Product) -> BundleProduct {
        BundleProduct(details: details, products: products.map(change), addOn: addOn.map(change))
    }

    package static let meaning = "several products sold as one"
    package static let members: [MemberDescription] = [
        .always(ProductMember.products, .list(.product), "its products"),
        .sometimes(ProductMember.addOn, .product, "an optional product at an extra charge"),
    ]
    private static let known = ProductMember.common.union(members.map(\.name))

    package init(from decoder: any Decoder) throws {
        let depth = try BundleDepth(of: decoder)
        let reader = try MemberReader(decoder)
        details = try ProductDetails(reader, known: Self.known)
        let members = try reader.container(userInfo: depth.within(decoder.userInfo))
        products = try members.decodePolymorphic([ProductKind].self, forKey: .name(ProductMember.products))
        addOn = try members.decodePolymorphicIfPresent(ProductKind.self, forKey: .name(ProductMember.addOn))
    }

    /// Encodes the product in its canonical form.
    /// - Throws: `EncodingError` also when bundles are nested deeper than ``depthLimit``.
    package func encode(to encoder: any Encoder) throws {
        try BundleDepth.check(self, at: MemberPath(encoder))
        let common = try details.members(of: typeName, at: MemberPath(encoder))
        var container = encoder.container(keyedBy: JSONPathKey.self)
        for member in common.members { try container.encode(member.value, forKey: .name(member.key)) }
        var inner = container.nestedUnkeyedContainer(forKey: .name(ProductMember.products))
        for product in products { try inner.encode(product) }
        if let addOn { try container.encode(addOn, forKey: .name(ProductMember.addOn)) }
        for attribute in details.attributes.members where !Self.known.contains(attribute.key) {
            try container.encode(attribute.value, forKey: .name(attribute.key))
        }
    }
}

/// The depth of a bundle in other bundles.
///
/// Bounded because bundles are decoded and encoded by recursion, and a hostile document must not exhaust the stack.
private struct BundleDepth {
    private static let key: CodingUserInfoKey = {
        guard let key = CodingUserInfoKey(rawValue: "larder.bundleDepth") else {
            preconditionFailure("a user info key can have any name")
        }
        return key
    }()
    private static let tooDeep = "bundles are nested deeper than \(BundleProduct.depthLimit)"

    private let depth: Int

    /// Reads the depth of a decoder's bundle.
    /// - Throws: `DecodingError` beyond the limit.
    init(of decoder: any Decoder) throws {
        depth = decoder.userInfo[Self.key] as? Int ?? 1
        guard depth <= BundleProduct.depthLimit else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: Self.tooDeep))
        }
    }

    /// The user info for the decoders of the products in the bundle.
    func within(_ userInfo: [CodingUserInfoKey: Any]) -> [CodingUserInfoKey: Any] {
        userInfo.merging([Self.key: depth + 1]) { $1 }
    }

    /// Checks the depth of all bundles in a product before it is encoded.
    /// - Throws: `EncodingError` with the path of the first bundle beyond the limit.
    static func check(_ product: any Product, at path: @autoclosure () -> MemberPath, depth: Int = 1) throws {
        guard let contents = product.contents else { return }
        guard depth <= BundleProduct.depthLimit else {
            throw EncodingError.invalidValue(
                product, EncodingError.Context(codingPath: path().codingPath, debugDescription: tooDeep))
        }
        for (index, inner) in contents.products.enumerated() {
            try check(inner, at: path()[ProductMember.products][index], depth: depth + 1)
        }
        if let inner = contents.addOn { try check(inner, at: path()[ProductMember.addOn], depth: depth + 1) }
    }
}
