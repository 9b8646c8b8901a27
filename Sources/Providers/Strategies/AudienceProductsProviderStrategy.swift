package import Products

/// Chooses a provider by the audience of a request, which is the value of a header.
///
/// Values are compared whole and with their case, without the blanks around them. A request without the header, or with
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
