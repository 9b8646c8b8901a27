internal import JSON
internal import Products

/// Copies the items of a document by a mapping of simple rules, each by its kind.
struct ItemCopies {
    private let rewriter: ItemRewriter
    private let type: TypeRule
    private let constantKind: ProductKind?
    /// The paths to the name of the kind; none for a constant.
    private let typePaths: [CopiedPath]
    private var copies: [ProductKind: ItemCopy?] = [:]
    private let conditions: [CopiedCondition]
    private var tape = JSONTape()
    private var join: ItemJoin?
    private var joined: [UInt8] = []

    /// Nil for a mapping whose items have to be read as values.
    /// - Parameter index: the objects of the lists beside the items.
    init?(_ mapping: CatalogueMapping, _ rewriter: ItemRewriter?, _ index: IncludeIndex? = nil) {
        conditions = mapping.conditions.compactMap(\.copied)
        join = index.flatMap { ItemJoin($0.references) }
        guard let rewriter, let type = mapping.type, conditions.count == mapping.conditions.count, mapping.item == nil,
            mapping.minimumPrice == nil, mapping.omitted.isEmpty, !mapping.isPricedByVariants,
            (index == nil) == (join == nil)
        else { return nil }
        (self.rewriter, self.type) = (rewriter, type)
        if case .constant(let name) = type { constantKind = ProductKind(rawValue: name) } else { constantKind = nil }
        if case .path(let paths, _, _) = type {
            typePaths = paths.paths.compactMap(\.plain).map { CopiedPath($0) }
            guard typePaths.count == paths.paths.count else { return nil }
        } else {
            typePaths = []
        }
    }

    /// Appends the item at an offset of a text, in our own form.
    /// - Parameter budget: pays for joined objects.
    /// - Returns: the offset behind it; nil if it has to be read as a value, and then anything may be appended and paid.
    mutating func append(
        at offset: Int, of text: [UInt8], to bytes: inout [UInt8], _ budget: inout JoinBudget
    ) -> Int? {
        guard offset < text.count, text[offset] == UInt8(ascii: "{") else { return nil }
        do throws(Unscannable) {
            let source = text.span.extracting(offset..<text.count)
            let end = try tape.scan(source, at: 0)
            if try join?.join(&tape, source, to: &joined, &budget) ?? false {
                let joined = joined
                try append(joined.span, to: &bytes)
            } else {
                try append(source, to: &bytes)
            }
            return offset + end
        } catch {
            return nil
        }
    }

    /// Appends the scanned item. One that does not meet the conditions is left to values, which count it.
    private mutating func append(_ text: Span<UInt8>, to bytes: inout [UInt8]) throws(Unscannable) {
        for condition in conditions where try !condition.holds(in: tape, text) { throw Unscannable() }
        guard let kind = constantKind ?? kind(in: text), let copy = copy(of: kind) else { throw Unscannable() }
        try copy.append(tape, text, to: &bytes)
    }

    private mutating func copy(of kind: ProductKind) -> ItemCopy? {
        if let copy = copies[kind] { return copy }
        let copy = rewriter.copy(of: kind)
        copies[kind] = .some(copy)
        return copy
    }

    private func kind(in text: Span<UInt8>) -> ProductKind? {
        switch type {
        case .constant: return nil
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
