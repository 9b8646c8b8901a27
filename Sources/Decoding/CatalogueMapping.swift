package import JSON
package import PolymorphicCodable
package import Products

/// The places of the items in an upstream's document, and of our members in an item.
package struct CatalogueMapping: Sendable {
    /// One of our members that has the same value in every item.
    package typealias Constant = (ours: JSONPath, value: JSONValue)

    /// The format of the documents.
    package var format: DocumentFormat
    /// The byte between the cells of a line of `csv`; nil for a comma.
    package var delimiter: UInt8?
    /// The path to the array of items, or to the repeated element of `xml`; nil if the document is the array.
    package var items: JSONPath?
    /// The path from an element of that array to the item; nil if the element is the item.
    package var item: JSONPath?
    /// The conditions of an item; all others are left out.
    package var conditions: [ItemCondition]
    /// Finds the kind; nil if the items carry our own `type`.
    package var type: TypeRule?
    /// Mapped members, in the order in which they are read.
    package var fields: [FieldMapping]
    /// Members that are the same in every item.
    package var constants: [Constant]
    /// The variants of a product; nil if they are not mapped.
    package var variants: VariantsMapping?
    /// Chooses which of the unmapped members become attributes.
    package var attributes: AttributePolicy
    /// The paths to members of products that are not served, by names and `*` alone.
    package var omitted: [ItemPath]
    package var unknownKinds: UnknownKindPolicy
    package var onBadItem: BadItemPolicy
    /// The price below which an item is bad; nil for none.
    package var minimumPrice: MinimumPrice?
    /// Lists beside the items, whose objects the items name by their ids.
    package var includes: [IncludedList]
    /// The most bytes that those objects may take in the items.
    package var joinLimit: Int

    /// Makes a mapping. No field's or constant's path may lead to, or through, another's.
    package init(
        format: DocumentFormat = .json, delimiter: UInt8? = nil, items: JSONPath? = nil, item: JSONPath? = nil,
        conditions: [ItemCondition] = [], type: TypeRule? = nil,
        fields: [FieldMapping] = [],
        constants: [Constant] = [], variants: VariantsMapping? = nil,
        attributes: AttributePolicy = .keep, omitted: [ItemPath] = [], unknownKinds: UnknownKindPolicy = .reject,
        onBadItem: BadItemPolicy = .reject, minimumPrice: MinimumPrice? = nil, includes: [IncludedList] = [],
        joinLimit: Int = 256 << 20
    ) {
        (self.format, self.delimiter) = (format, delimiter)
        self.items = items
        self.item = item
        self.conditions = conditions
        self.type = type
        self.fields = fields
        self.constants = constants
        self.variants = variants
        (self.attributes, self.omitted) = (attributes, omitted)
        self.unknownKinds = unknownKinds
        self.onBadItem = onBadItem
        self.minimumPrice = minimumPrice
        self.includes = includes
        self.joinLimit = joinLimit
    }

    /// The decoder for the mapping; the native one if only a policy for unknown kinds is set.
    package var decoder: any CatalogueDecoder {
        let isNative =
            format == .json && keepsItems && items == nil && item == nil && conditions.isEmpty && onBadItem == .reject
            && attributes == .keep && omitted.isEmpty && minimumPrice == nil && includes.isEmpty
        return isNative ? NativeCatalogueDecoder(unknownKinds: unknownKinds) : MappedCatalogueFormat(mapping: self)
    }

    /// Whether the items are in our own form, and so need no rewriting.
    var keepsItems: Bool { type == nil && fields.isEmpty && constants.isEmpty && variants == nil }

    /// Whether products have the prices of their variants alone. A copy of such an item lacks its price, and would be read
    /// anew.
    var isPricedByVariants: Bool {
        func isPrice(_ path: JSONPath) -> Bool { ["price", "price.amount"].contains(path.description) }
        let own = fields.map(\.ours) + constants.map(\.ours)
        return variants?.fields.contains { isPrice($0.ours) } ?? false && !own.contains(where: isPrice)
    }

    /// The path of the price in an item, for messages; nil where items have Larder's own form.
    var pricePlace: String? {
        let places = fields.flatMap(\.places) + (variants?.places ?? [])
        return places.first { $0.ours.hasSuffix(OwnForm.amount) }?.theirs.description
    }

    /// Whether a value counts for a time.
    var isTimed: Bool { (fields + (variants?.fields ?? [])).contains { $0.window != nil } }

    /// The paths within an item that are read.
    var paths: [ItemPath] {
        var paths = fields.flatMap(\.places).flatMap(\.theirs.paths) + conditions.flatMap(\.path.paths)
        paths += fields.compactMap(\.scale?.path)
        if case .path(let kinds, _, _) = type { paths += kinds.paths }
        if let variants { paths += variants.paths.paths + variants.places.flatMap(\.theirs.paths) }
        return paths
    }

    /// The reader of the documents.
    var reader: DocumentReader {
        var reader = DocumentReader(format: format, elements: items?.components ?? [])
        if let delimiter { reader.delimiter = delimiter }
        if format == .xml { reader.lists = listPlaces }
        return reader
    }

    /// The places within an element where a path has `*` or an index: a list, also of one.
    private var listPlaces: Set<[String]> {
        let start = item.map { ItemPath($0).steps } ?? []
        return paths.reduce(into: []) { places, path in
            var names: [String] = []
            for step in start + path.steps {
                switch step {
                case .child(let name) where Int(name) == nil: names.append(name)
                case .child, .every: places.insert(names)
                case .fitting, .text: break
                }
            }
        }
    }
}

/// The place of one of our members in an upstream's item.
package struct FieldMapping: Sendable, Hashable {
    package var ours: JSONPath
    /// The upstream's member. Of several, the first is used that is neither missing nor null, nor an empty string in
    /// place of a number.
    package var theirs: PathAlternatives
    /// The time for which the first of the paths counts; nil if it always does.
    package var window: TimeWindow?
    /// Scales a number in minor units.
    package var scale: FieldScale?
    /// Changes the texts that are found.
    package var texts: TextRules
    /// Chooses one of several values; nil for the first where the paths lead to one, or for the list.
    package var pick: ValuePick?
    /// Reads an amount or a currency from a text with both; nil for plain values.
    package var form: MoneyForm?
    /// The value if the upstream's member is missing, in our units.
    package var fallback: JSONValue?

    package init(
        ours: JSONPath, theirs: PathAlternatives, window: TimeWindow? = nil, scale: FieldScale? = nil,
        texts: TextRules = TextRules(), pick: ValuePick? = nil, form: MoneyForm? = nil, fallback: JSONValue? = nil
    ) {
        (self.ours, self.theirs, self.window, self.scale, self.texts) = (ours, theirs, window, scale, texts)
        (self.pick, self.form, self.fallback) = (pick, form, fallback)
    }

    /// Whether a path that leads to a value counts at a time.
    /// - Throws: `ValueProblem` if a bound of the window is no time.
    package func counts(_ path: ItemPath, in item: JSONValue, at time: DecodingTime) throws(ValueProblem) -> Bool {
        guard let window, path == theirs.paths.first, path.first(in: item) ?? "" != "" else { return true }
        return try window.holds(in: item, at: time)
    }

    /// The member and the bounds of its window with their places, to find those that lead nowhere.
    package var places: [(ours: String, theirs: PathAlternatives)] {
        [(ours.description, theirs)] + (window?.paths ?? []).map { ("\(ours) during", PathAlternatives($0)) }
    }

    /// Whether values are taken as they are found.
    var isPlain: Bool { texts.isEmpty && pick == nil && form == nil }

    /// Whether it gives a list: several values, and no rule that makes one of them.
    package var givesList: Bool {
        (theirs.paths.contains(where: \.leadsToList) || texts.separator != nil) && pick == nil && texts.joiner == nil
    }
}

/// The number of decimal places of an amount in minor units, which is divided by ten to that power.
package enum FieldScale: Sendable, Hashable {
    /// One number for every item.
    case fixed(Int)
    /// The minor digits of the item's currency.
    case currency
    /// A whole number in the item itself.
    case path(ItemPath)
    /// A power of ten in the item itself.
    case divisor(ItemPath)

    /// The path to the scale in an item.
    var path: ItemPath? {
        switch self {
        case .fixed, .currency: nil
        case .path(let path), .divisor(let path): path
        }
    }

    /// The number of decimal places that a divisor means; nil if it is no power of ten.
    static func digits(of divisor: Int) -> Int? {
        var (rest, digits) = (divisor, 0)
        while rest >= 10, rest % 10 == 0 { (rest, digits) = (rest / 10, digits + 1) }
        return rest == 1 ? digits : nil
    }

    /// The digits that are the same in every item; nil if they differ.
    var digits: Int? {
        if case .fixed(let digits) = self { digits } else { nil }
    }

    /// The valid scales. Eighteen digits are more than any currency or unit has, and fit a machine word.
    package static let range = 0...18
}

/// The places of a value, in order of preference, at least one.
package struct PathAlternatives: Sendable, Hashable {
    package let paths: [ItemPath]

    package init(_ path: ItemPath) {
        paths = [path]
    }

    /// Makes alternatives; nil without any.
    package init?(_ paths: [ItemPath]) {
        guard !paths.isEmpty else { return nil }
        self.paths = paths
    }

    /// Returns the first value that is neither missing nor null, and its place.
    func first(in item: JSONValue) -> (value: JSONValue, path: ItemPath)? {
        for path in paths {
            if let value = path.first(in: item) { return (value, path) }
        }
        return nil
    }
}

extension PathAlternatives: CustomStringConvertible {
    /// The paths in messages: `preciseAmount or centAmount`.
    package var description: String { paths.map(\.description).joined(separator: " or ") }
}
