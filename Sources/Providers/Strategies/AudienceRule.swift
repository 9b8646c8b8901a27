internal import Configuration
internal import Products

/// Which audience a request belongs to, by one of its headers.
struct AudienceRule: Sendable {
    /// What requests of no audience are called.
    static let otherwise = "otherwise"

    /// The header's name, in lower case.
    let header: String
    /// The values that make an audience each.
    let audiences: Set<String>
    /// What audiences are called whose value is not to be told, such as one from the environment. No two have one name.
    var names: [String: String] = [:]

    /// The audience of a request; nil when it is of none.
    func audience(of request: ProductsRequest) -> String? {
        audience(ofValue: request.headers[header])
    }

    /// The audience of a value of the header.
    ///
    /// A value that differs in anything but the blanks around it is another one: in its case, or because the header is
    /// there twice.
    func audience(ofValue value: String?) -> String? {
        guard let value = value.map(HeaderValue.trimmed), audiences.contains(value) else { return nil }
        return value
    }

    /// What an audience is called on trails and in logs.
    func name(of audience: String) -> String { names[audience] ?? audience }

    /// How answers vary that are given by this rule.
    var variation: RequestVariation {
        RequestVariation(
            header: header, rule: "audience", variants: audiences.sorted().map(variant) + [Self.otherwise]
        ) { value in
            audience(ofValue: value).map(variant) ?? Self.otherwise
        }
    }

    /// Never the same as `otherwise`, whatever the audience is called.
    private func variant(_ audience: String) -> String { "cases.\(name(of: audience))" }
}
