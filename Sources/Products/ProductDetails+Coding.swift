import JSON

extension ProductDetails {
    /// Reads the details; whatever is neither among them nor one of the `kindMembers` becomes an attribute.
    init(from container: KeyedDecodingContainer<ProductMember>, kindMembers: [ProductMember]) throws {
        self.init(
            id: try Self.id(in: container),
            name: try container.decode(String.self, forKey: .name),
            price: try container.decode(Price.self, forKey: .price),
            sales: try container.decodeIfPresent(Int.self, forKey: .sales) ?? 0,
            description: try container.decodeIfPresent(String.self, forKey: .description),
            imageURL: try container.decodeIfPresent(String.self, forKey: .imageURL),
            category: try container.decodeIfPresent(String.self, forKey: .category))
        for member in container.allKeys where !Self.isNamed(member, by: kindMembers) {
            attributes[member.stringValue] = try container.decode(JSONValue.self, forKey: member)
        }
    }

    /// Writes the members that stand before those of the kind.
    func encodeMembers(of kind: ProductKind, to container: inout KeyedEncodingContainer<ProductMember>) throws {
        try container.encode(kind.rawValue, forKey: .type)
        try container.encode(id, forKey: .id)
        try container.encode(name, forKey: .name)
        try container.encode(price, forKey: .price)
        try container.encode(sales, forKey: .sales)
        try container.encodeIfPresent(description, forKey: .description)
        try container.encodeIfPresent(imageURL, forKey: .imageURL)
        try container.encodeIfPresent(category, forKey: .category)
    }

    /// Writes the members that stand after those of the kind.
    func encodeAttributes(
        to container: inout KeyedEncodingContainer<ProductMember>, kindMembers: [ProductMember]
    ) throws {
        for attribute in attributes.members {
            let member = ProductMember(stringValue: attribute.key)
            guard !Self.isNamed(member, by: kindMembers) else { continue }
            try container.encode(attribute.value, forKey: member)
        }
    }

    private static func id(in container: KeyedDecodingContainer<ProductMember>) throws -> String {
        let text =
            switch try container.decode(JSONValue.self, forKey: .id) {
            case .string(let text): text
            case .number(let number): number.literal
            default: ""
            }
        guard !text.isEmpty else {
            throw DecodingError.dataCorruptedError(
                forKey: .id, in: container, debugDescription: "expected a non-empty string or a number")
        }
        return text
    }

    private static func isNamed(_ member: ProductMember, by kindMembers: [ProductMember]) -> Bool {
        ProductMember.common.contains(member) || kindMembers.contains(member)
    }
}
