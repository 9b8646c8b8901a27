internal import JSON
internal import Products

/// Copies the items of a document by a mapping of simple rules, each by its kind.
struct ItemCopies {
    private let rewriter: ItemRewriter
    private let type: TypeRule
    /// The paths to what names the kind; none for a constant.
    private let typePaths: [CopiedPath]
    private var copies: [ProductKind: ItemCopy?] = [:]
    private var tape = JSONTape()

    /// Nil for a mapping whose items have to be read as values.
    init?(_ mapping: CatalogueMapping, _ rewriter: ItemRewriter?) {
        guard let rewriter, let type = mapping.type, mapping.conditions.isEmpty, mapping.item == nil,
            mapping.minimumPrice == nil, mapping.includes.isEmpty
        else { return nil }
        (self.rewriter, self.type) = (rewriter, type)
        if case .path(let paths, _, _) = type {
            typePaths = paths.paths.compactMap(\.plain).map(CopiedPath.init)
            guard typePaths.count == paths.paths.count else { return nil }
        } else {
            typePaths = []
        }
    }

    /// Appends the item at an offset of a text, in our own form.
    /// - Returns: the offset behind it; nil if it has to be read as a value, and then anything may be appended.
    mutating func append(at offset: Int, of text: [UInt8], to bytes: inout [UInt8]) -> Int? {
        guard offset < text.count, text[offset] == UInt8(ascii: "{") else { return nil }
        do throws(Unscannable) {
            let end = try tape.scan(text.span, at: offset)
            guard let kind = kind(in: text.span), let copy = copy(of: kind) else { return nil }
            try copy.append(tape, text.span, to: &bytes)
            return end
        } catch {
            return nil
        }
    }

    private mutating func copy(of kind: ProductKind) -> ItemCopy? {
        if let copy = copies[kind] { return copy }
        let copy = rewriter.copy(of: kind)
        copies[kind] = .some(copy)
        return copy
    }

    private func kind(in text: Span<UInt8>) -> ProductKind? {
        switch type {
        case .constant(let name): return ProductKind(rawValue: name)
        case .path(_, let map, let otherwise):
            var place: Int?
            for path in typePaths where place == nil { place = path.place(in: tape, text) }
            guard let place else { return otherwise.flatMap(ProductKind.init(rawValue:)) }
            let entry = tape.entries[place]
            guard entry.isCanonical, entry.next == place + 1, text[entry.end - 1] != UInt8(ascii: "]"),
                text[entry.end - 1] != UInt8(ascii: "}")
            else { return nil }
            let isString = text[entry.start] == UInt8(ascii: "\"")
            let name = String(text, isString ? entry.start + 1..<entry.end - 1 : entry.range)
            guard !name.contains("\\") else { return nil }
            return ProductKind(rawValue: map[name] ?? otherwise ?? name)
        }
    }
}
