package import Configuration
package import Logging
package import Networking
internal import Text

extension FieldReader {
    /// Reads the credential in `field` or in the file that `<field>_file` names; declare both with
    /// `FieldSpec.secretOrFile`. White space around a file's content is dropped.
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
    /// dropped.
    package func optionalCredential(_ field: String, _ form: SecretForm) -> (@Sendable (Logger) -> Credential)? {
        guard let path = optionalPath(field), let text = textOfFile(field) else { return nil }
        let secret = Secret(text).trimmed
        if let problem = form.problem(with: secret) { report(.error, at: field, sentence(problem, at: field)) }
        return { Credential(secret, path: path, form: form, logger: $0) }
    }

    /// Whether a field is given and empty, for instance by an empty environment variable.
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
