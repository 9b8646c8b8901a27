package import Products

/// Chooses a provider by the audience of a request, which is the value of a header.
///
/// Values are compared whole and case-sensitively, without surrounding blanks. A request without the header, or with
/// another value, gets `otherwise`. A failure passes through, so that no request is answered with a catalogue meant for
/// another audience.
package struct AudienceProductsProviderStrategy: ProductsProvider {
    private let name: String
    private let rule: AudienceRule
    private let cases: [String: any ProductsProvider]
    private let otherwise: any ProductsProvider

    /// Chooses by `header`, whose name may be in any case, among `cases` by its value.
    ///
    /// - Parameter names: the names on trails of audiences whose values are secret; the others appear by their values.
    package init(
        name: String = "audience", header: String, cases: [String: any ProductsProvider],
        shownAs names: [String: String] = [:], otherwise: any ProductsProvider
    ) {
        self.name = name
        self.rule = AudienceRule(header: header.lowercased(), audiences: Set(cases.keys), names: names)
        self.cases = cases
        self.otherwise = otherwise
    }

    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        let audience = rule.audience(ofValue: request.headers[rule.header])
        let provider = audience.flatMap { cases[$0] } ?? otherwise
        let role = audience.map(rule.name) ?? AudienceRule.otherwise
        let step = TrailStep(node: name, outcome: .chose(role: role))
        return try await provider.products(for: request).passingLease().adding(step)
    }
}

/// Finds the audience of a request by one of its headers.
package struct AudienceRule: Sendable {
    /// The name for requests without an audience.
    static let otherwise = "otherwise"

    /// The header's name, in lower case.
    let header: String
    /// The header's values, each of which is an audience.
    let audiences: Set<String>
    /// The unique names of audiences whose values are secret, such as those from the environment.
    let names: [String: String]

    package init(header: String, audiences: Set<String>, names: [String: String] = [:]) {
        self.header = header
        self.audiences = audiences
        self.names = names
    }

    /// Returns the audience of a value of the header.
    ///
    /// A value that differs in anything but the blanks around it is another one: in its case, or because the header
    /// occurs twice.
    func audience(ofValue value: String?) -> String? {
        guard let value = value?.trimmedHeaderValue, audiences.contains(value) else { return nil }
        return value
    }

    /// Returns the name of an audience on trails and in logs.
    func name(of audience: String) -> String { names[audience] ?? audience }

    /// The variation of answers chosen by this rule.
    package var variation: RequestVariation {
        // With few values, comparing them all is cheaper than hashing one.
        let values = audiences.sorted()
        return RequestVariation(
            header: header, rule: "audience", variants: values.map(variant) + [Self.otherwise]
        ) { value in
            value.flatMap { values.firstIndex(of: $0.trimmedHeaderValue) } ?? values.count
        }
    }

    /// Returns the variant of an audience, which never equals `otherwise`.
    private func variant(_ audience: String) -> String { "cases.\(name(of: audience))" }
}

extension String {
    /// The value of a header without the blanks around it, which are not part of it (RFC 9110, 5.5).
    package var trimmedHeaderValue: String {
        let bytes = utf8.span
        guard !bytes.isEmpty, bytes[0] <= 0x20 || bytes[bytes.count - 1] <= 0x20 else { return self }
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        guard let last = lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(self[...last].drop(while: isBlank))
    }
}
