public import Configuration
internal import FoundationEssentials

/// Authenticates requests to an upstream.
public protocol Authentication: Sendable {
    /// The sensitive headers to send. Read before every request, since secrets are rotated.
    func headers() async -> [HTTPHeader]
    /// Texts that logs and messages must not hold: the secrets and their forms in headers, also the previous ones, since
    /// an upstream may quote the request.
    var secrets: [Secret] { get }
}

/// The `auths:` section: ways to authenticate at upstreams.
package enum AuthFamily: ComponentFamily {
    package typealias Instance = any Authentication
    package static let noun = "auth"
    package static let section = "auths"

    package static let specs: [ComponentSpec<AuthFamily>] = [
        BearerAuthentication.spec, BasicAuthentication.spec, HeaderAuthentication.spec,
    ]
}

/// `Authorization: Basic` of RFC 7617, in UTF-8. The name must not hold a colon.
struct BasicAuthentication: Authentication {
    static let spec = ComponentSpec<AuthFamily>(
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

    let username: String
    let password: Credential

    func headers() async -> [HTTPHeader] {
        [HTTPHeader("Authorization", sensitive: "Basic \(encoded(await password.current()))")]
    }

    var secrets: [Secret] { password.known.flatMap { [$0, Secret(encoded($0))] } }

    private func encoded(_ password: Secret) -> String {
        Data("\(username):\(password.reveal())".utf8).base64EncodedString()
    }
}

/// `Authorization: Bearer` of RFC 6750.
struct BearerAuthentication: Authentication {
    static let spec = ComponentSpec<AuthFamily>(
        type: "bearer", summary: "a token in the Authorization header",
        fields: FieldSpec.secretOrFile("token", "The token."), example: "{ type: bearer, token: \"${LARDER_TOKEN}\" }",
        plan: { reader in
            let token = reader.credential("token", .bearerToken)
            return { assembly in BearerAuthentication(token: token(assembly)) }
        })

    let token: Credential

    func headers() async -> [HTTPHeader] {
        [HTTPHeader("Authorization", sensitive: value(await token.current()))]
    }

    var secrets: [Secret] { token.known.flatMap { [$0, Secret(value($0))] } }

    private func value(_ token: Secret) -> String { "Bearer \(token.reveal())" }
}

/// A key in a header of the upstream's choice.
struct HeaderAuthentication: Authentication {
    static let spec = ComponentSpec<AuthFamily>(
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

    let name: String
    let value: Credential

    func headers() async -> [HTTPHeader] {
        [HTTPHeader(name, sensitive: await value.current().reveal())]
    }

    var secrets: [Secret] { value.known }
}
