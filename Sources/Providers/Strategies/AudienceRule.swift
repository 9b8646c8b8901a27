package import Products

/// Finds the audience of a request by one of its headers.
package struct AudienceRule: Sendable {
    /// The name of requests of no audience.
    static let otherwise = "otherwise"

    /// The header's name, in lower case.
    let header: String
    /// The header's values, each of which is an audience.
    let audiences: Set<String>
    /// The unique names of audiences whose values are secret, such as those from the environment.
    let names: [String: String]

    package init(header: String, audiences: Set<String>, names: [String: String] = [:]) {
        self.header = header
        self.audiences = audiences
        self.names = names
    }

    /// Returns the audience of a value of the header.
    ///
    /// A value that differs in anything but the blanks around it is another one: in its case, or because the header
    /// occurs twice.
    func audience(ofValue value: String?) -> String? {
        guard let value = value?.trimmedHeaderValue, audiences.contains(value) else { return nil }
        return value
    }

    /// Returns the name of an audience on trails and in logs.
    func name(of audience: String) -> String { names[audience] ?? audience }

    /// The variation of answers chosen by this rule.
    package var variation: RequestVariation {
        // There are few values, and to compare them all is cheaper than to hash one.
        let values = audiences.sorted()
        return RequestVariation(
            header: header, rule: "audience", variants: values.map(variant) + [Self.otherwise]
        ) { value in
            value.flatMap { values.firstIndex(of: $0.trimmedHeaderValue) } ?? values.count
        }
    }

    /// Returns the variant of an audience, which never equals `otherwise`.
    private func variant(_ audience: String) -> String { "cases.\(name(of: audience))" }
}

extension String {
    /// The value of a header without the blanks around it, which are not part of it (RFC 9110, 5.5).
    package var trimmedHeaderValue: String {
        let bytes = utf8.span
        guard !bytes.isEmpty, bytes[0] <= 0x20 || bytes[bytes.count - 1] <= 0x20 else { return self }
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        guard let last = lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(self[...last].drop(while: isBlank))
    }
}
