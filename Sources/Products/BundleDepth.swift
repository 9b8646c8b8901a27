import JSON

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
