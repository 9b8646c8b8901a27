internal import JSON

/// The languages of texts in order of preference, by which one of several texts is found as the lookup of RFC 4647 does.
///
/// A language that no text has loses its last part, as `en-GB` becomes `en`, before the next one counts.
package struct LanguageRanges: Sendable, Hashable {
    /// The tags as they are written, at least one.
    private let tags: [String]
    /// The tags in lower case with what each falls back to.
    private let lookups: [String]

    /// Makes ranges; nil without any.
    package init?(_ tags: [String]) {
        guard !tags.isEmpty else { return nil }
        self.tags = tags
        lookups = tags.flatMap(Self.lookups)
    }

    /// Whether a text has the form of a language tag: `en`, `zh-Hant-TW`.
    package static func isTag(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.allSatisfy {
            (1...8).contains($0.count) && $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        }
            && parts.first.map { $0.count > 1 && $0.allSatisfy(\.isLetter) } ?? false
    }

    private static func lookups(of tag: String) -> [String] {
        var (parts, found) = (normalized(tag).split(separator: "-"), [String]())
        while !parts.isEmpty {
            found.append(parts.joined(separator: "-"))
            parts.removeLast()
            // A single letter begins an extension, and means nothing at the end.
            if parts.last?.count == 1 { parts.removeLast() }
        }
        return found
    }

    /// Upstreams also write `en_GB`.
    private static func normalized(_ tag: String) -> String { tag.lowercased().replacing("_", with: "-") }

    /// Returns the value in the first language that is there, neither null nor empty. A value without languages is returned as
    /// it is.
    func value(in texts: JSONValue) -> JSONValue? {
        guard let entries = Self.entries(of: texts) else { return texts.isBlank ? nil : texts }
        for lookup in lookups {
            if let entry = entries.first(where: { Self.normalized($0.tag) == lookup && !$0.value.isBlank }) {
                return entry.value
            }
        }
        return nil
    }

    /// The members that name the language of an entry in a list, and its text. XML has them as attribute and text.
    private static let names = ["locale", "language", "lang", "languageCode", "@xml:lang", "@lang"]
    private static let values = ["value", "text", "#text"]

    /// The texts by language: the members of an object, or the elements of a list that name their language; nil for a value
    /// of any other form.
    static func entries(of texts: JSONValue) -> [(tag: String, value: JSONValue)]? {
        if let entry = entry(texts) { return [entry] }
        if let object = texts.object { return object.members.map { ($0.key, $0.value) } }
        let entries = texts.array?.compactMap(entry) ?? []
        return entries.isEmpty ? nil : entries
    }

    private static func entry(_ element: JSONValue) -> (tag: String, value: JSONValue)? {
        guard let object = element.object, let tag = names.lazy.compactMap({ object[$0]?.string }).first,
            let value = values.lazy.compactMap({ object[$0] }).first
        else { return nil }
        return (tag, value)
    }
}

extension LanguageRanges: CustomStringConvertible {
    /// The languages in messages: `en-GB or de`.
    package var description: String { tags.joined(separator: " or ") }
}
