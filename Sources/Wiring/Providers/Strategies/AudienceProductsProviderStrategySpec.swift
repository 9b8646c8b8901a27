package import Configuration
internal import Networking
package import Providers

extension AudienceProductsProviderStrategy {
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
        facts: [ProviderTraits(passesEvery: { _ in true }, longestWait: ProviderTraits.slowest)],
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
            reader.state(AudienceRule(header: header, audiences: Set(cases.map(\.key)), names: names).variation)
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
}

extension FieldReader {
    /// Reads the name of a request header, in lower case, from a field of type `.string` that is present.
    func requestHeader(_ field: String) -> String {
        let name = optionalString(field) ?? ""
        if !HTTPHeader(name, "").isSendable {
            report(.error, at: field, "\(node(field)?.found ?? "this") is no name of a header")
        }
        return name.lowercased()
    }
}
