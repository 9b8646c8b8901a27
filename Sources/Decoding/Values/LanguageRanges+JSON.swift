internal import JSON
internal import Text

extension LanguageRanges {
    /// Returns the value in the first language that is there, neither null nor empty. A value without languages is returned as
    /// it is.
    func value(in texts: JSONValue) -> JSONValue? {
        guard let entries = Self.entries(of: texts) else { return texts.isBlank ? nil : texts }
        return first(of: entries.lazy.filter { !$0.value.isBlank }, by: \.tag)?.value
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
