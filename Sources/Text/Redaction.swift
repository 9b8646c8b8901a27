/// Removes secrets from texts that quote an upstream, which may echo the credentials it was sent.
package struct Redaction: Sendable {
    package static let substitute = "<redacted>"

    /// The least length of a secret in bytes. A shorter one would be found in half of all words.
    private static let shortest = 4
    private static let ellipsis = Array("…".utf8)
    /// The secrets in lower case, the longest first, since secrets can contain each other.
    private let secrets: [[UInt8]]

    /// Creates a redaction of these secrets, in plain form and as escaped in JSON; those of three bytes or less are
    /// ignored.
    package init(_ secrets: [String]) {
        let forms = Set(secrets.flatMap { [$0, Self.escaped($0)] }.map { $0.utf8.map(\.lowercased) })
        self.secrets = forms.filter { $0.count >= Self.shortest }.sorted { $0.count > $1.count }
    }

    /// The text without the secrets, in any case, and without the beginning of one at the end of a text that was cut.
    package func applied(to text: String) -> String {
        guard !secrets.isEmpty else { return text }
        let bytes = Array(text.utf8)
        let folded = bytes.map(\.lowercased)
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if let length = length(ofSecretIn: folded[index...]) {
                result += Self.substitute.utf8
                index += length
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private func length(ofSecretIn text: ArraySlice<UInt8>) -> Int? {
        for secret in secrets where text.starts(with: secret) { return secret.count }
        for secret in secrets {
            let common = zip(secret, text).prefix { $0 == $1 }.count
            if common >= Self.shortest, text.dropFirst(common).starts(with: Self.ellipsis) { return common }
        }
        return nil
    }

    private static func escaped(_ secret: String) -> String {
        String(JSONString.quoted(secret).dropFirst().dropLast())
    }
}

/// A password, token or key. It prints, dumps and reflects as `<redacted>`; only `reveal()` returns it.
package struct Secret: Sendable {
    private let value: String

    /// Wraps a secret.
    package init(_ value: String) {
        self.value = value
    }

    /// The secret itself, to be sent, never for logs or messages.
    package func reveal() -> String { value }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Always `<redacted>`.
    package var description: String { Redaction.substitute }

    /// Always `<redacted>`.
    package var debugDescription: String { description }

    /// A mirror without children.
    package var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
