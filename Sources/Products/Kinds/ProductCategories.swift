package import JSON

/// The categories that a product is listed under, as its source has them: a string, an object, or an array of both.
///
/// An object names a category by `name`, `path` or `id`; its other members are kept. Nothing is changed on the way to clients.
package struct ProductCategories: Sendable, Hashable, ExpressibleByStringLiteral {
    package let json: JSONValue

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
        let named = names.compactMap { object[$0] }.filter { !$0.isNull }
        return !named.isEmpty && named.allSatisfy { $0.string != nil || $0.number != nil || isList($0) }
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
            throw mismatch(
                name, value, expected: "a string, an object with name, path or id, or an array of such", at: nil)
        }
        return categories
    }
}

extension ProductText {
    /// The contents of the texts and numbers that name its categories, the best of each first.
    var categoryRanges: [Range<Int>] {
        guard let value = value(ProductMember.category) else { return [] }
        return names(in: value)
    }

    /// The texts by which a query finds its categories.
    package var categories: [String] { categoryRanges.map { text($0) } }

    private func names(in value: Range<Int>) -> [Range<Int>] {
        guard !value.isEmpty else { return [] }
        switch encoded[value.lowerBound] {
        case UInt8(ascii: "\""): return [value.dropFirst().dropLast()]
        case UInt8(ascii: "["): return CanonicalReader.elements(encoded, value).flatMap { names(in: $0) }
        case UInt8(ascii: "{"):
            var (reader, found) = (CanonicalReader(encoded, in: value), [String: Range<Int>]())
            while let member = reader.nextMember() { found[text(member.name)] = member.value }
            return ProductCategories.names.compactMap { found[$0] }.flatMap { names(in: $0) }
        case UInt8(ascii: "n"): return []
        default: return [value]
        }
    }
}
