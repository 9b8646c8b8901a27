package import JSON
package import Products
internal import Text

/// Decodes the body of an upstream's response or of a file into products.
///
/// Both methods may take many milliseconds: call them off the event loops. Skipped items are returned with the
/// products, for the caller to log.
package protocol CatalogueDecoder: Sendable {
    /// The format of the documents. Pages are of JSON alone.
    var format: DocumentFormat { get }
    /// The paths to the items of a document, in order of preference; the first that leads to an array is used.
    var itemsPaths: [JSONPath] { get }
    /// The paths to an item's id, in order of preference, to identify items before they are decoded.
    var idPaths: [JSONPath] { get }
    /// Returns the items of a document, joined with the lists beside them; nil where no path leads to an array.
    func items(in document: JSONValue) -> [JSONValue]?
    /// Decodes a whole document.
    /// - Parameter known: the products of an earlier document, which a decoder may recognise in this one.
    /// - Throws: `ProductsFailure.malformed` with the place and the value found there.
    func decode(_ body: [UInt8], knowing known: KnownProducts?) throws(ProductsFailure) -> DecodedProducts
    /// Decodes the items of one or several documents, joined and in order; an error's index counts through all of them.
    /// - Throws: `ProductsFailure.malformed` with the place and the value found there.
    func decode(items: [JSONValue]) throws(ProductsFailure) -> DecodedProducts
}

extension NativeCatalogueDecoder: CatalogueDecoder {
    package static let itemsPaths = [JSONPath.root] + ["products"].compactMap { JSONPath($0) }
    package static let idPaths = ["id"].compactMap { JSONPath($0) }

    package var format: DocumentFormat { .json }

    /// The document itself, or else its member `products`.
    package var itemsPaths: [JSONPath] { Self.itemsPaths }

    package var idPaths: [JSONPath] { Self.idPaths }

    package func items(in document: JSONValue) -> [JSONValue]? { document.firstArray(at: itemsPaths) }
}

extension CatalogueDecoder {
    /// Returns the items of a document, and throws where no path leads to an array.
    func listed(in document: JSONValue) throws(ProductsFailure) -> [JSONValue] {
        if let items = items(in: document) { return items }
        guard itemsPaths.count == 1, let path = itemsPaths.first else {
            let places = itemsPaths.dropFirst().map { "\"\($0)\"" }.joined(separator: " or ")
            throw .malformed(detail: "expected an array of items, or one at \(places); found \(document.kindName)")
        }
        guard let found = document[path] else {
            throw .malformed(detail: "nothing at \"\(path)\", where the items should be")
        }
        throw .malformed(detail: "\(found.kindName) where the array of items should be")
    }
}

extension JSONParser {
    func document(_ body: [UInt8]) throws(ProductsFailure) -> JSONValue {
        do {
            return try parse(body)
        } catch {
            throw .malformed(detail: "invalid JSON at \(error)")
        }
    }
}

/// The problems that decoding finds, beside the products.
struct DecodingFindings {
    /// The place of prices in items, for messages.
    let pricePlace: String?
    var omitted: OmittedMembers
    /// The number of bad items that were skipped.
    var bad = 0
    var matches: PathMatches
    /// The document that contains the items; nil if they were read from several pages.
    let document: DocumentItems?
    let time: DecodingTime
    var budget: JoinBudget
    var internalMembers = InternalMembers()
    var unconverted = UnconvertedMembers()
    var dangling = DanglingIDs()

    /// The line of an item, for messages; empty for JSON.
    func line(_ index: Int) -> String {
        document.flatMap { index < $0.lines.count ? " (line \($0.lines[index]))" : nil } ?? ""
    }

    mutating func skip(_ index: Int, _ reason: String, in decoded: inout DecodedProducts) {
        decoded.skipped.append(SkippedItem(index: index, reason: reason))
        bad += 1
    }

    func add(to decoded: inout DecodedProducts) {
        (decoded.unmatched, decoded.internalMembers) = (matches.texts + omitted.unmatched, internalMembers.names)
        (decoded.unconverted, decoded.danglingIDs) = (unconverted.texts, dangling.texts)
        decoded.pricePlace = pricePlace
    }
}

/// Finds the paths of a mapping that lead nowhere in any item, and the members found instead.
///
/// A path is dropped at the first item that has it, so a mapping that fits costs nothing after a few items.
struct PathMatches {
    /// A member whose paths have led nowhere so far.
    private struct Unmatched {
        let ours: String
        let theirs: PathAlternatives
        /// The furthest place that one of the paths has led to.
        var end: ItemPath.End?
        /// The names of the members at that place, in their order.
        var names: [String] = []

        mutating func record(_ item: JSONValue) {
            for case let other? in theirs.paths.map({ $0.end(in: item) }) where other.depth >= end?.depth ?? 0 {
                if other.depth > end?.depth ?? -1 { (end, names) = (other, []) }
                guard other.place == end?.place, let there = other.there else { continue }
                end = other
                for name in there where names.count < PathMatches.nameLimit && !names.contains(name) {
                    names.append(name)
                }
            }
        }

        /// `name: titel (there are "id" and "title"; did you mean "title"?)`.
        var text: String { "\(ours): \(theirs) (\(reason))" }

        var reason: String {
            guard let end else { return "nothing there" }
            let there = WordList.enumeration(quoting: names.map { "\(TextExcerpt($0, limit: 40))" })
            if case .text(let languages) = end.step {
                return "\(end.place) has no text in \(languages)\(names.isEmpty ? "" : "; there are \(there)")"
            }
            switch end.value {
            case .array(let elements) where elements.isEmpty: return "\(end.place) is an empty array"
            case .array:
                switch end.step {
                case .fitting(let path, _):
                    return "\(end.place) has no element \(end.step); \(path) is \(names.isEmpty ? "in none" : there)"
                case .child(let name):
                    let next = [end.place, "0", Int(name) == nil ? name : ""].filter { !$0.isEmpty }
                    return "\(end.place) is an array; write an index, like \(next.joined(separator: ".")), or *"
                case .every, .text: return "\(end.place) has no element"
                }
            case .object:
                let place = end.place.isEmpty ? "there are" : "\(end.place) has"
                let meant = ClosestName.to("\(end.step)", among: names).map { "; did you mean \"\($0)\"?" }
                return "\(place) \(there)\(meant ?? "")"
            case .null, .bool, .number, .string: return "\(end.place) is \(end.value.kindName)"
            }
        }
    }

    /// Describes what an item has in place of the value; nil if a path leads to a value.
    static func reason(_ theirs: PathAlternatives, in item: JSONValue) -> String? {
        guard theirs.paths.allSatisfy({ $0.end(in: item) != nil }) else { return nil }
        var unmatched = Unmatched(ours: "", theirs: theirs)
        unmatched.record(item)
        return unmatched.reason
    }

    fileprivate static let nameLimit = 20
    /// The number of items whose members are collected.
    private static let itemLimit = 100

    private static let condition = "when"

    private var unmatched: [Unmatched]
    private var count = 0
    private var isAnyTaken = false

    init(_ mapping: CatalogueMapping) {
        unmatched = mapping.fields.flatMap(\.places).map { Unmatched(ours: $0.ours, theirs: $0.theirs) }
        unmatched += mapping.variants?.places.map { Unmatched(ours: $0.ours, theirs: $0.theirs) } ?? []
        unmatched += mapping.conditions.map { Unmatched(ours: Self.condition, theirs: $0.path) }
        if case .path(let paths, _, _) = mapping.type { unmatched.append(Unmatched(ours: OwnForm.type, theirs: paths)) }
    }

    /// Whether further items bring nothing new.
    var isComplete: Bool { unmatched.isEmpty && isAnyTaken }

    /// - Parameter isTaken: whether the item meets the conditions; otherwise only the conditions are searched.
    mutating func record(_ item: JSONValue, isTaken: Bool) {
        count += 1
        isAnyTaken = isAnyTaken || isTaken
        guard !unmatched.isEmpty else { return }
        func isSearched(_ member: Unmatched) -> Bool { isTaken || member.ours == Self.condition }
        unmatched.removeAll { member in
            isSearched(member) && member.theirs.paths.contains { $0.end(in: item) == nil }
        }
        guard count <= Self.itemLimit else { return }
        for index in unmatched.indices where isSearched(unmatched[index]) { unmatched[index].record(item) }
    }

    /// The members whose paths have led nowhere, with the members found instead. If no item was taken, only the conditions are
    /// listed.
    var texts: [String] {
        let told = isAnyTaken ? unmatched : unmatched.filter { $0.ours == Self.condition }
        return count == 0 ? [] : told.map(\.text)
    }
}

extension ItemPath.End {
    /// The names of the members at the place, or the texts of the member that a step in brackets looks at.
    fileprivate var there: [String]? {
        switch (value, step) {
        case (_, .text): LanguageRanges.entries(of: value)?.map(\.tag)
        case (.object(let object), _): object.members.map(\.key)
        case (.array(let elements), .fitting(let path, _)): elements.compactMap { $0[path]?.scalarText }
        default: nil
        }
    }
}
