public import Products

/// The provider of a request's audience, which is told by the value of a header.
///
/// Values are compared whole and with their case; the blanks around them do not count. What has no such value, or no
/// such header, gets `otherwise`. A failure passes through: nobody is shown what is meant for another audience because
/// their own provider is away.
public struct AudienceProductsProviderStrategy: ProductsProvider {
    private let name: String
    private let rule: AudienceRule
    private let cases: [String: any ProductsProvider]
    private let otherwise: any ProductsProvider

    /// Chooses by `header`, whose name may be in any case, among `cases` by its value.
    ///
    /// - Parameters:
    ///   - name: the node's name on trails.
    ///   - names: what trails call an audience whose value is not to be told; without a name it is told.
    public init(
        name: String = "audience", header: String, cases: [String: any ProductsProvider],
        shownAs names: [String: String] = [:], otherwise: any ProductsProvider
    ) {
        self.name = name
        self.rule = AudienceRule(header: header.lowercased(), audiences: Set(cases.keys), names: names)
        self.cases = cases
        self.otherwise = otherwise
    }

    /// The answer of the audience's provider.
    public func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        let audience = rule.audience(of: request)
        let provider = audience.flatMap { cases[$0] } ?? otherwise
        let role = audience.map(rule.name) ?? AudienceRule.otherwise
        let step = TrailStep(node: name, outcome: .chose(role: role))
        return try await provider.products(for: request).adding(step)
    }
}
