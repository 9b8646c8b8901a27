internal import Configuration
internal import Logging

extension FieldReader {
    /// The credential in `field` or in the file that `<field>_file` names, as the code that makes it. Declare both with
    /// `FieldSpec.secretOrFile`.
    func credential(_ field: String) -> @Sendable (Assembly) -> Credential {
        let secret = secretOrFile(field)
        let path = isSound ? optionalPath(field + "_file") : nil
        if !secret.isSendable {
            let place = path == nil ? field : field + "_file"
            report(.error, at: place, "\"\(place)\" holds characters that cannot be sent in a header")
        }
        return { assembly in Credential(secret, path: path, logger: assembly.resource(Logger.self)) }
    }
}
