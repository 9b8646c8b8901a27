package import Configuration
package import Logging
package import Networking
internal import Text

/// The `auths:` section: authentication at upstreams.
package enum AuthFamily: ComponentFamily {
    package typealias Instance = any Authentication
    package static let noun = "auth"
    package static let section = "auths"

    package static let specs: [ComponentSpec<AuthFamily>] = [
        BearerAuthentication.spec, BasicAuthentication.spec, HeaderAuthentication.spec,
    ]

    package static func instance(
        of outline: ComponentOutline, in assembly: Assembly, _ make: () throws -> any Authentication
    ) throws -> any Authentication { try make() }
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

extension FieldReader {
    /// Reads the credential in `field` or in the file that `<field>_file` names; declare both with
    /// `FieldSpec.secretOrFile`. White space around a file's content is removed.
    package func credential(_ field: String, _ form: SecretForm = .headerValue) -> @Sendable (Assembly) -> Credential {
        let found = isEmptyText(field) ? Secret("") : secretOrFile(field)
        let path = isSound ? optionalPath(field + "_file") : nil
        let secret = path == nil ? found : found.trimmed
        let place = path == nil ? field : field + "_file"
        if has(place), isSound || !secret.reveal().isEmpty, let problem = form.problem(with: secret) {
            report(.error, at: place, sentence(problem, at: place))
        }
        return { assembly in Credential(secret, path: path, form: form, logger: assembly.resource(Logger.self)) }
    }

    /// Reads the credential in the file that a field of type `.path` names, nil without one. White space around it is
    /// removed.
    package func optionalCredential(_ field: String, _ form: SecretForm) -> (@Sendable (Logger) -> Credential)? {
        guard let path = optionalFilledPath(field), let text = textOfFile(field) else { return nil }
        let secret = Secret(text).trimmed
        if let problem = form.problem(with: secret) { report(.error, at: field, sentence(problem, at: field)) }
        return { Credential(secret, path: path, form: form, logger: $0) }
    }

    /// The path of a field; nil if it is absent or empty, as with an empty environment variable.
    package func optionalFilledPath(_ field: String) -> String? {
        node(field)?.text?.isEmpty == true ? nil : optionalPath(field)
    }

    /// Whether a field is given and empty, as with an empty environment variable.
    private func isEmptyText(_ field: String) -> Bool {
        guard !has(field + "_file"), let node = node(field), !node.isBroken else { return false }
        return node.text?.isEmpty ?? false
    }

    /// Quotes the file's path or the environment variable's name, never the secret.
    private func sentence(_ problem: UnusableSecret, at field: String) -> String {
        switch problem {
        case .empty: "\"\(field)\": \(node(field)?.found ?? "this") is empty"
        case .notBearerToken:
            "\"\(field)\" is no bearer token: one has visible ASCII characters only, and no space; "
                + "the word \"Bearer\" is not part of it"
        case .notSendable, .notUTF8, .tooLong: "\"\(field)\" holds characters that cannot be sent in a header"
        }
    }
}
