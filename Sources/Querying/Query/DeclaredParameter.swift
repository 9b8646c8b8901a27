internal import Products

/// A query parameter of a declared key or attribute.
package struct DeclaredParameter: Sendable, Hashable {
    /// The products that it passes.
    enum Comparison: Sendable, Hashable {
        /// The product with this key.
        case isKey
        /// Products with any of these values.
        case isAny
        /// All but the products with any of these values.
        case isNone
        case isAtLeast
        case isAtMost
    }

    /// The name of the key or attribute.
    package let member: String
    let comparison: Comparison
    /// The type of an attribute's values; nil for a key.
    let memberForm: FindableMembers.Form?

    /// The parameters of one declaration differ in these two.
    package static func == (left: DeclaredParameter, right: DeclaredParameter) -> Bool {
        left.member == right.member && left.comparison == right.comparison
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(member)
        hasher.combine(comparison)
    }

    /// The parameters of all keys and attributes, in the order of the declaration.
    static func all(of members: FindableMembers) -> [DeclaredParameter] {
        members.keys.map { DeclaredParameter(member: $0.name, comparison: .isKey, memberForm: nil) }
            + members.attributes.flatMap { attribute in
                comparisons(of: attribute.form).map {
                    DeclaredParameter(member: attribute.name, comparison: $0, memberForm: attribute.form)
                }
            }
    }

    /// The names of the parameters that an attribute or a key makes.
    package static func names(of member: String, _ form: FindableMembers.Form?) -> [String] {
        (form.map(comparisons) ?? [.isKey]).map {
            DeclaredParameter(member: member, comparison: $0, memberForm: form).name
        }
    }

    private static func comparisons(of form: FindableMembers.Form) -> [Comparison] {
        switch form {
        case .text, .exactText, .bands: [.isAny, .isNone]
        case .number: [.isAny, .isNone, .isAtLeast, .isAtMost]
        case .flag: [.isAny, .isNone]
        }
    }

    package var name: String {
        switch comparison {
        case .isKey, .isAny: member
        case .isNone: "\(member)!"
        case .isAtLeast: "\(member)_min"
        case .isAtMost: "\(member)_max"
        }
    }

    package var form: ProductsQueryParameter.Form {
        switch (comparison, memberForm) {
        case (.isKey, _), (_, nil): .text
        case (.isAtLeast, _), (.isAtMost, _): .amount
        case (_, .text?), (_, .exactText?): .list
        case (_, .number?): .amounts
        case (_, .flag?): .flag
        case (_, .bands(let bounds)?): .choices(FindableMembers.Form.bandTexts(bounds))
        }
    }

    package var meaning: String {
        switch comparison {
        case .isKey: "The product whose `\(member)`, or that of one of its variants, is this; at most one."
        case .isAny: "Products whose `\(member)` is one of these."
        case .isNone: "Products whose `\(member)` is none of these, and those without one."
        case .isAtLeast: "Products with a `\(member)` of this or more."
        case .isAtMost: "Products with a `\(member)` of this or less."
        }
    }
}

/// A parameter of a query: one that every catalogue has, or one of a declared member.
package enum QueryParameter: Sendable, Hashable {
    case common(ProductsQueryParameter)
    case declared(DeclaredParameter)

    package var name: String {
        switch self {
        case .common(let parameter): parameter.rawValue
        case .declared(let parameter): parameter.name
        }
    }

    package var form: ProductsQueryParameter.Form {
        switch self {
        case .common(let parameter): parameter.form
        case .declared(let parameter): parameter.form
        }
    }

    /// The description for clients.
    package var meaning: String {
        switch self {
        case .common(let parameter): parameter.meaning
        case .declared(let parameter): parameter.meaning
        }
    }

    /// An example of a value; nil where only a catalogue can give one.
    package var example: String? {
        switch self {
        case .common(let parameter): parameter.example
        case .declared: nil
        }
    }
}

extension ProductsQueryParameter.Form {
    /// Whether it takes a list, also as several parameters of the name.
    package var isList: Bool {
        switch self {
        case .list, .choices, .amounts: true
        case .count, .amount, .flag, .choice, .words, .cursor, .text: false
        }
    }
}

/// The parameters that a resource takes.
package struct ProductsQueryParameters: Sendable {
    package let members: FindableMembers
    package let all: [QueryParameter]
    private let byName: [String: QueryParameter]

    /// - Parameter common: those that do not depend on the declaration.
    package init(
        _ common: [ProductsQueryParameter] = ProductsQueryParameter.allCases, of members: FindableMembers = .init()
    ) {
        self.members = members
        let declared = common.contains(.ids) ? DeclaredParameter.all(of: members) : []
        all = common.map { .common($0) } + declared.map { .declared($0) }
        byName = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
    }

    package var names: [String] { all.map(\.name) }

    /// The type of a parameter's value, with the declared members.
    package func form(of parameter: QueryParameter) -> ProductsQueryParameter.Form {
        switch parameter {
        case .common(.sort): .choices(sortKeys)
        case .common(.facets): .choices(facets)
        default: parameter.form
        }
    }

    package func contains(_ parameter: ProductsQueryParameter) -> Bool { byName[parameter.rawValue] != nil }

    subscript(name: String) -> QueryParameter? { byName[name] }

    /// The members to count products by.
    package var facets: [String] {
        [ProductsQueryParameter.type, .category, .popular].map(\.rawValue) + members.attributes.map(\.name)
    }

    /// The texts of the keys to sort by, the descending ones last.
    package var sortKeys: [String] {
        let names = ProductsSortKey.Member.allCases.map(\.rawValue) + members.attributes.map(\.name)
        return names + names.map { "-\($0)" }
    }

    /// Returns the key of a text, with `-` before it for the greatest first.
    func sortKey(_ text: String) -> ProductsSortKey? {
        let isDescending = text.unicodeScalars.first == "-"
        let name = String(text.unicodeScalars.dropFirst(isDescending ? 1 : 0))
        if let member = ProductsSortKey.Member(rawValue: name) {
            return ProductsSortKey(member, isDescending: isDescending)
        }
        return members.attribute(named: name) == nil
            ? nil : ProductsSortKey(attribute: name, isDescending: isDescending)
    }
}
