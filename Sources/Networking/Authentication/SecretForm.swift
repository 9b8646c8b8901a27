internal import Configuration

/// What a secret has to look like where it is sent.
public enum SecretForm: Sendable, Hashable {
    /// What can stand in a header: one with a line break could add headers of its own.
    case headerValue
    /// A token without spaces; the word `Bearer` is not part of it.
    case bearerToken

    /// Why a secret cannot be sent; nil when it can.
    func problem(with secret: Secret) -> UnusableSecret? {
        let text = secret.reveal()
        if text.isEmpty { return .empty }
        if !HTTPHeader.isSendable(value: text) { return .notSendable }
        return self == .bearerToken && !Self.isBearerToken(text) ? .notBearerToken : nil
    }

    /// More than RFC 6750 names, since tokens with a bar or a colon in them are about; what a space in one shows is that
    /// the word `Bearer`, or something else, has been copied with it.
    private static func isBearerToken(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
    }
}
