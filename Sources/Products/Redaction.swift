import JSON

/// Takes secrets out of texts that quote what somebody else sent, who has been told them.
public struct Redaction: Sendable {
    /// What takes the place of a secret.
    public static let substitute = "<redacted>"

    /// In bytes. Anything shorter would be found in half of all words.
    private static let shortest = 4
    private static let ellipsis = Array("…".utf8)
    /// In lower case, the longest first, since secrets can hold each other.
    private let secrets: [[UInt8]]

    /// Takes these secrets out; those of three characters and less are no secrets.
    public init(_ secrets: [String]) {
        let forms = Set(secrets.flatMap { [$0, Self.escaped($0)] }.map { $0.utf8.map(Self.lowercase) })
        self.secrets = forms.filter { $0.count >= Self.shortest }.sorted { $0.count > $1.count }
    }

    /// The text without the secrets, in whatever case they stand in it, and without the beginning of one where the text
    /// was cut in the middle of it.
    public func applied(to text: String) -> String {
        guard !secrets.isEmpty else { return text }
        let bytes = Array(text.utf8)
        let folded = bytes.map(Self.lowercase)
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
        return secrets.lazy.compactMap { secret in
            let common = zip(secret, text).prefix { $0 == $1 }.count
            let isCut = common >= Self.shortest && text.dropFirst(common).starts(with: Self.ellipsis)
            return isCut ? common : nil
        }.first
    }

    /// As messages show it that quote a string as JSON.
    private static func escaped(_ secret: String) -> String {
        String("\(JSONValue.string(secret))".dropFirst().dropLast())
    }

    /// Of ASCII letters only: it is hosts that lose their case on the way into a message.
    private static func lowercase(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
