public import Configuration

/// A token in the `Authorization` header, as RFC 6750 has it.
public struct BearerAuthentication: Authentication {
    /// `type: bearer` in the `auths:` section.
    public static let spec = ComponentSpec<AuthFamily>(
        type: "bearer", summary: "a token in the Authorization header",
        fields: FieldSpec.secretOrFile("token", "The token."), example: "{ type: bearer, token: change-me }",
        plan: { reader in
            let token = reader.credential("token")
            return { assembly in BearerAuthentication(token: token(assembly)) }
        })

    private let token: Credential

    /// Creates an authentication by this token.
    public init(token: Credential) {
        self.token = token
    }

    /// `Authorization: Bearer` and the token.
    public func headers() async -> [HTTPHeader] {
        [HTTPHeader("Authorization", sensitive: "Bearer \(await token.current().reveal())")]
    }
}
