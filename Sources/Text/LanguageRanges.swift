/// Languages in order of preference. They select one of several texts by the lookup of RFC 4647.
///
/// A language without a text loses its last part, as `en-GB` becomes `en`, before the next one counts.
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

    /// Whether two tags name the same language. Upstreams also write `en_GB`.
    package static func areSame(_ one: String, _ other: String) -> Bool { normalized(one) == normalized(other) }

    /// Returns the entry whose language is found first; nil if none is.
    /// - Parameter tag: the language of an entry.
    package func first<Entry>(of entries: some Sequence<Entry>, by tag: (Entry) -> String) -> Entry? {
        for lookup in lookups {
            if let entry = entries.first(where: { Self.normalized(tag($0)) == lookup }) { return entry }
        }
        return nil
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

    private static func normalized(_ tag: String) -> String { tag.lowercased().replacing("_", with: "-") }
}

extension LanguageRanges: CustomStringConvertible {
    /// The languages in messages: `en-GB or de`.
    package var description: String { tags.joined(separator: " or ") }
}
