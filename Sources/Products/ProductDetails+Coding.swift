import JSON

extension ProductDetails {
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
