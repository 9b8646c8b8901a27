public import Configuration
internal import FoundationEssentials

/// How requests prove to an upstream who asks.
public protocol Authentication: Sendable {
    /// The headers that do it, all of them sensitive. Asked for before every request, since what they hold may have
    /// been replaced since the last.
    func headers() async -> [HTTPHeader]
    /// What no text may hold, because whoever reads it could ask as we do: the secrets, and what headers make of them.
    /// Also those sent last, since the upstream may quote what it was sent.
    var secrets: [Secret] { get }
}

/// The `auths:` section: ways to prove to upstreams who asks.
public enum AuthFamily: ComponentFamily {
    /// A way to do it.
    public typealias Instance = any Authentication
    /// One of them in messages.
    public static let noun = "auth"
    /// Where they are labelled.
    public static let section = "auths"

    /// Every auth a config file can name.
    public static let specs: [ComponentSpec<AuthFamily>] = [
        BearerAuthentication.spec, BasicAuthentication.spec, HeaderAuthentication.spec,
    ]

    /// Used as it was made.
    public static func adopt(_ instance: any Authentication, as outline: ComponentOutline, in assembly: Assembly)
        -> any Authentication
    {
        instance
    }
}

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
