public import Configuration

/// A token in the `Authorization` header, as RFC 6750 has it.
public struct BearerAuthentication: Authentication {
    /// `type: bearer` in the `auths:` section.
    public static let spec = ComponentSpec<AuthFamily>(
        type: "bearer", summary: "a token in the Authorization header",
        fields: FieldSpec.secretOrFile("token", "The token."), example: "{ type: bearer, token: \"${LARDER_TOKEN}\" }",
        plan: { reader in
            let token = reader.credential("token", .bearerToken)
            return { assembly in BearerAuthentication(token: token(assembly)) }
        })

    private let token: Credential

    /// Creates an authentication by this token.
    public init(token: Credential) {
        self.token = token
    }

    /// `Authorization: Bearer` and the token.
    public func headers() async -> [HTTPHeader] {
        [HTTPHeader("Authorization", sensitive: value(await token.current()))]
    }

    /// The token, and the header's value.
    public var secrets: [Secret] { token.known.flatMap { [$0, Secret(value($0))] } }

    private func value(_ token: Secret) -> String { "Bearer \(token.reveal())" }
}
