public import JSON

/// The members that are wanted of products.
///
/// `type` and `id` always are, because without them a product can be neither decoded nor told from others. A name that
/// no product has is no mistake: kinds differ in their members, and attributes have any name. Members keep their order,
/// and those of a product within a bundle are not chosen from.
public struct ProductFields: Sendable, Hashable {
    /// The names, `type` and `id` among them.
    public let names: Set<String>

    /// Members with these names.
    public init(_ names: some Sequence<String>) {
        self.names = Set(names).union([ProductMember.type, ProductMember.id])
    }

    /// A product with no other members than these.
    /// - Parameter product: the JSON object of the product.
    /// - Throws: `JSONSyntaxError` when it is no object.
    public func projection(of product: ArraySlice<UInt8>) throws(JSONSyntaxError) -> [UInt8] {
        var projection: [UInt8] = []
        try append(product, to: &projection)
        return projection
    }

    func append(_ product: ArraySlice<UInt8>, to bytes: inout [UInt8]) throws(JSONSyntaxError) {
        let whole = Array(product)
        var separator = UInt8(ascii: "{")
        for member in try JSONParser().parseMemberRanges(whole) where names.contains(member.key) {
            bytes.append(separator)
            separator = UInt8(ascii: ",")
            JSONWriter.append(.string(member.key), to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            bytes.append(contentsOf: whole[member.range])
        }
        if separator == UInt8(ascii: "{") { bytes.append(separator) }
        bytes.append(UInt8(ascii: "}"))
    }
}
