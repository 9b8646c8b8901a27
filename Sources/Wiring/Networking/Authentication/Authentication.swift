package import Configuration
package import Networking

/// The `auths:` section: ways to authenticate at upstreams.
package enum AuthFamily: ComponentFamily {
    package typealias Instance = any Authentication
    package static let noun = "auth"
    package static let section = "auths"

    package static let specs: [ComponentSpec<AuthFamily>] = [
        BearerAuthentication.spec, BasicAuthentication.spec, HeaderAuthentication.spec,
    ]
}

extension BasicAuthentication {
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
}

extension BearerAuthentication {
    static let spec = ComponentSpec<AuthFamily>(
        type: "bearer", summary: "a token in the Authorization header",
        fields: FieldSpec.secretOrFile("token", "The token."), example: "{ type: bearer, token: \"${LARDER_TOKEN}\" }",
        plan: { reader in
            let token = reader.credential("token", .bearerToken)
            return { assembly in BearerAuthentication(token: token(assembly)) }
        })
}

extension HeaderAuthentication {
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
}
