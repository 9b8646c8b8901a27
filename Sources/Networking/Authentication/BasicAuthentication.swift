public import Configuration
internal import FoundationEssentials

/// A user's name and password in the `Authorization` header, as RFC 7617 has it, in UTF-8.
public struct BasicAuthentication: Authentication {
    /// `type: basic` in the `auths:` section.
    public static let spec = ComponentSpec<AuthFamily>(
        type: "basic", summary: "a name and password in the Authorization header",
        fields: [.required("username", .string, "The name.")]
            + FieldSpec.secretOrFile("password", "The password."),
        example: "{ type: basic, username: larder, password: \"${LARDER_PASSWORD}\" }",
        plan: { reader in
            let username = reader.string("username")
            if username.contains(":") || !HTTPHeader.isSendable(value: username) {
                reader.report(.error, at: "username", "\"username\" must not hold a colon or control characters")
            }
            let password = reader.credential("password")
            return { assembly in BasicAuthentication(username: username, password: password(assembly)) }
        })

    private let username: String
    private let password: Credential

    /// Creates an authentication by a name, which must hold no colon, and a password.
    public init(username: String, password: Credential) {
        self.username = username
        self.password = password
    }

    /// `Authorization: Basic` with both.
    public func headers() async -> [HTTPHeader] {
        [HTTPHeader("Authorization", sensitive: "Basic \(encoded(await password.current()))")]
    }

    /// The password, and what is made of it.
    public var secrets: [Secret] { password.known.flatMap { [$0, Secret(encoded($0))] } }

    private func encoded(_ password: Secret) -> String {
        Data("\(username):\(password.reveal())".utf8).base64EncodedString()
    }
}
