public import Configuration

/// A key in a header of the upstream's choice.
public struct HeaderAuthentication: Authentication {
    /// `type: header` in the `auths:` section.
    public static let spec = ComponentSpec<AuthFamily>(
        type: "header", summary: "a key in a header of the upstream's choice",
        fields: [.required("name", .string, "The name of the header.")]
            + FieldSpec.secretOrFile("value", "The key."),
        example: "{ type: header, name: X-Shopify-Access-Token, value: \"${LARDER_TOKEN}\" }",
        plan: { reader in
            let name = reader.string("name")
            if !HTTPHeader.isSendable(name: name) {
                reader.report(.error, at: "name", "\(reader.node("name")?.found ?? "this") is no name of a header")
            }
            let value = reader.credential("value")
            return { assembly in HeaderAuthentication(name: name, value: value(assembly)) }
        })

    private let name: String
    private let value: Credential

    /// Creates an authentication by this header.
    public init(name: String, value: Credential) {
        self.name = name
        self.value = value
    }

    /// The header.
    public func headers() async -> [HTTPHeader] {
        [HTTPHeader(name, sensitive: await value.current().reveal())]
    }

    /// The key.
    public var secrets: [Secret] { value.known }
}
