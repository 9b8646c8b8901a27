package import Configuration
internal import Networking
package import Products

/// Chooses a provider by the audience of a request, which is the value of a header.
///
/// Values are compared whole and with their case, without the blanks around them. A request without the header, or with
/// another value, gets `otherwise`. A failure passes through, so that no request is answered with a catalogue meant for
/// another audience.
package struct AudienceProductsProviderStrategy: ProductsProvider {
    package static let spec = ComponentSpec<ProviderFamily>(
        type: "audience",
        summary: "chooses by the value of a request header; answers vary by it",
        fields: [
            .required("header", .string, "the request header that tells the audience"),
            .required(
                "cases", .componentMap(ProviderFamily.self),
                "the provider of each audience, by the header's whole value; case counts"),
            .required("otherwise", .component(ProviderFamily.self), "asked for all other requests"),
        ],
        example: """
            { type: audience, header: X-Tier, \
            cases: { premium: { type: http, request: { base_url: "http://premium.shop.example" } } }, \
            otherwise: { type: http, request: { base_url: "http://shop.example" } } }
            """,
        plan: { reader in
            let header = reader.requestHeader("header")
            let cases = reader.componentMap("cases", ProviderFamily.self)
            let otherwise = reader.component("otherwise", ProviderFamily.self)
            if ["authorization", "cookie", "proxy-authorization"].contains(header) {
                reader.report(
                    .warning, at: "header",
                    "the values of \"\(header)\" are secrets, and \"cases\" are shown in the graph and in logs")
            }
            checkCases(cases.map { ($0.key, $0.written) }, reader)
            let names: [String: String] = cases.reduce(into: [:]) { $0[$1.key] = $1.written }
            reader.varies(AudienceRule(header: header, audiences: Set(cases.map(\.key)), names: names).variation)
            let name = reader.name
            return { assembly in
                AudienceProductsProviderStrategy(
                    name: name, header: header,
                    cases: try cases.reduce(into: [:]) { $0[$1.key] = try $1.plan.instantiate(in: assembly) },
                    shownAs: names, otherwise: try otherwise.instantiate(in: assembly))
            }
        })

    private static func checkCases(_ cases: [(value: String, written: String)], _ reader: FieldReader) {
        if cases.isEmpty, reader.has("cases") {
            reader.report(.error, at: "cases", "\"cases\": expected one audience at least")
        }
        for (value, written) in cases where value.trimmedHeaderValue != value {
            reader.report(
                .error, at: "cases", "\"cases\": no header has the value \"\(written)\", with blanks around it")
        }
    }

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
struct AudienceRule: Sendable {
    /// The name of requests of no audience.
    static let otherwise = "otherwise"

    /// The header's name, in lower case.
    let header: String
    /// The header's values, each of which is an audience.
    let audiences: Set<String>
    /// The unique names of audiences whose values are secret, such as those from the environment.
    var names: [String: String] = [:]

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
    var variation: RequestVariation {
        let names = Dictionary(uniqueKeysWithValues: audiences.map { ($0, variant($0)) })
        return RequestVariation(
            header: header, rule: "audience", variants: audiences.sorted().map(variant) + [Self.otherwise]
        ) { value in
            value.flatMap { names[$0.trimmedHeaderValue] } ?? Self.otherwise
        }
    }

    /// Returns the variant of an audience, which never equals `otherwise`.
    private func variant(_ audience: String) -> String { "cases.\(name(of: audience))" }
}

extension String {
    /// The value of a header without the blanks around it, which are not part of it (RFC 9110, 5.5).
    var trimmedHeaderValue: String {
        guard let start = utf8.first, let end = utf8.last, start <= 0x20 || end <= 0x20 else { return self }
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        guard let last = lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(self[...last].drop(while: isBlank))
    }
}

extension FieldReader {
    /// Reads the name of a request header, in lower case, from a required field of type `.string`.
    func requestHeader(_ field: String) -> String {
        let name = string(field)
        if !HTTPHeader(name, "").isSendable {
            report(.error, at: field, "\(node(field)?.found ?? "this") is no name of a header")
        }
        return name.lowercased()
    }
}
