package import FoundationEssentials
internal import JSON
internal import Products
internal import Text

extension ProductsQuery {
    /// The limit of words in a search; each costs a scan of all words of the catalogue.
    package static let wordLimit = 8

    /// Parses decoded parameters. ``CatalogueIndex/page(of:)`` checks the cursor.
    /// - Parameters:
    ///   - items: the names and values in their order.
    ///   - known: the parameters of the resource.
    /// - Throws: the first problem in the order of the parameters.
    package init(
        parsing items: some Sequence<(name: String, value: String?)>,
        taking known: [ProductsQueryParameter] = ProductsQueryParameter.allCases, limits: PageLimits
    ) throws(ProductsQueryProblem) {
        self.init(limit: known.contains(.limit) ? limits.whenNotGiven : nil)
        var read: Set<ProductsQueryParameter> = []
        for item in items {
            guard let parameter = ProductsQueryParameter(rawValue: item.name), known.contains(parameter) else {
                throw .unknown(item.name, known: known)
            }
            guard read.insert(parameter).inserted || parameter.isList else { throw .repeated(parameter) }
            try set(QueryValue(parameter, item.value), limits)
        }
        if let minPrice, let maxPrice, minPrice > maxPrice {
            throw .pricesOutOfOrder(least: minPrice, greatest: maxPrice)
        }
    }

    private mutating func set(_ value: QueryValue, _ limits: PageLimits) throws(ProductsQueryProblem) {
        switch value.parameter {
        case .limit: limit = try value.count(in: 1...max(1, limits.greatest))
        case .cursor: cursor = try value.cursor()
        case .type: types = try value.texts(with: types)
        case .category: categories = try value.texts(with: categories)
        case .popular: popular = try value.flag()
        case .ids: ids = try value.texts(with: ids)
        case .q: words = try value.words(limit: Self.wordLimit)
        case .minPrice: minPrice = try value.amount()
        case .maxPrice: maxPrice = try value.amount()
        case .sort: sort = try value.sortKeys(after: sort)
        case .fields: fields = ProductFields((fields?.names ?? []).union(try value.list()))
        case .view: view = try value.choice(of: ProductsView.self)
        }
    }
}

private struct QueryValue {
    let parameter: ProductsQueryParameter
    private let text: String

    init(_ parameter: ProductsQueryParameter, _ text: String?) throws(ProductsQueryProblem) {
        guard let text, !text.isEmpty else { throw .empty(parameter) }
        self.parameter = parameter
        self.text = text
    }

    /// Splits a list at commas. A `\` escapes a comma or another `\`, and is an error elsewhere.
    func list() throws(ProductsQueryProblem) -> [String] {
        var (elements, element, isEscaped) = ([String](), [UInt8](), false)
        for index in text.utf8.indices {
            switch text.utf8[index] {
            case UInt8(ascii: "\\") where !isEscaped: isEscaped = true
            case UInt8(ascii: ",") where !isEscaped:
                elements.append(String(decoding: element, as: UTF8.self))
                element.removeAll(keepingCapacity: true)
            case let other where isEscaped && other != UInt8(ascii: ",") && other != UInt8(ascii: "\\"):
                throw .undefinedEscape(parameter, found: text.unicodeScalars[index])
            case let byte:
                element.append(byte)
                isEscaped = false
            }
        }
        guard !isEscaped else { throw .unfinishedEscape(parameter) }
        elements.append(String(decoding: element, as: UTF8.self))
        if let index = elements.firstIndex(of: "") { throw .emptyElement(parameter, index: index) }
        return elements
    }

    func texts(with others: Set<ExactText>?) throws(ProductsQueryProblem) -> Set<ExactText> {
        (others ?? []).union(try list().map { ExactText($0) })
    }

    func choice<Choice: RawRepresentable<String> & CaseIterable>(
        of type: Choice.Type
    ) throws(ProductsQueryProblem) -> Choice {
        guard let choice = Choice(rawValue: text) else {
            throw .notAChoice(parameter, found: text, choices: Choice.allCases.map(\.rawValue))
        }
        return choice
    }

    func flag() throws(ProductsQueryProblem) -> Bool {
        guard let flag = Bool(text) else { throw .notAChoice(parameter, found: text, choices: ["true", "false"]) }
        return flag
    }

    func count(in allowed: ClosedRange<Int>) throws(ProductsQueryProblem) -> Int {
        guard text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains), let count = Int(text),
            allowed.contains(count)
        else { throw .notACount(parameter, found: text, allowed: allowed) }
        return count
    }

    /// A decimal number in JSON's notation.
    func amount() throws(ProductsQueryProblem) -> Decimal {
        guard let number = JSONNumber(literal: text) else { throw .notAnAmount(parameter, found: text) }
        if let amount = ExactDecimal(number) { return amount.value }
        guard let parts = number.decimalParts, parts.digits.utf8.count > ExactDecimal.mostDigits else {
            throw .amountBeyondRange(parameter, found: text)
        }
        throw .notAnAmount(parameter, found: text)
    }

    func words(limit: Int) throws(ProductsQueryProblem) -> Set<SearchWord> {
        let words = SearchWord.words(of: text)
        guard !words.isEmpty else { throw .noWords(found: text) }
        guard words.count <= limit else { throw .tooManyWords(found: words.count, limit: limit) }
        return words
    }

    func sortKeys(after others: [ProductsSortKey]) throws(ProductsQueryProblem) -> [ProductsSortKey] {
        var keys = others
        for element in try list() {
            guard let key = ProductsSortKey(element) else {
                throw .notAChoice(parameter, found: element, choices: ProductsSortKey.texts)
            }
            guard !keys.contains(where: { $0.member == key.member }) else { throw .repeatedSortKey(key.member) }
            keys.append(key)
        }
        return keys
    }

    func cursor() throws(ProductsQueryProblem) -> PageCursor {
        do {
            return try PageCursor(text: text)
        } catch {
            throw .cursor(error)
        }
    }
}

/// An error in the parameters of a query: the value found, and the allowed ones.
package enum ProductsQueryProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The parameter does not exist.
    case unknown(String, known: [ProductsQueryParameter])
    case repeated(ProductsQueryParameter)
    case empty(ProductsQueryParameter)
    /// The element at an index of the parameter's list is empty.
    case emptyElement(ProductsQueryParameter, index: Int)
    case unfinishedEscape(ProductsQueryParameter)
    /// The list has a `\` before a character that needs no escape.
    case undefinedEscape(ProductsQueryParameter, found: Unicode.Scalar)
    /// The value, or an element of the list, is none of the choices.
    case notAChoice(ProductsQueryParameter, found: String, choices: [String])
    case repeatedSortKey(ProductsSortKey.Member)
    /// The value is not a whole number in the range.
    case notACount(ProductsQueryParameter, found: String, allowed: ClosedRange<Int>)
    /// The value is not a decimal number, or has more digits than can be compared exactly.
    case notAnAmount(ProductsQueryParameter, found: String)
    /// The decimal number is too great, or has too many decimal places, to be compared exactly.
    case amountBeyondRange(ProductsQueryParameter, found: String)
    /// The least price is above the greatest.
    case pricesOutOfOrder(least: Decimal, greatest: Decimal)
    /// The search text holds only blanks and punctuation.
    case noWords(found: String)
    case tooManyWords(found: Int, limit: Int)
    case cursor(PageCursorProblem)

    /// The name of the wrong parameter as the client wrote it, for the problem's pointer.
    package var parameter: String {
        switch self {
        case .unknown(let name, _): name
        case .repeated(let parameter), .empty(let parameter), .emptyElement(let parameter, _),
            .unfinishedEscape(let parameter), .notAChoice(let parameter, _, _), .notACount(let parameter, _, _),
            .undefinedEscape(let parameter, _), .notAnAmount(let parameter, _), .amountBeyondRange(let parameter, _):
            parameter.rawValue
        case .repeatedSortKey: ProductsQueryParameter.sort.rawValue
        case .pricesOutOfOrder: ProductsQueryParameter.minPrice.rawValue
        case .noWords, .tooManyWords: ProductsQueryParameter.q.rawValue
        case .cursor: ProductsQueryParameter.cursor.rawValue
        }
    }

    /// The sentence for clients, with the value sent, shortened, and the allowed ones.
    package var description: String {
        switch self {
        case .unknown(let name, let known): Self.unknown(name, known.map(\.rawValue))
        case .repeated(let parameter): "\(Self.name(parameter)) is given more than once"
        case .empty(let parameter): "\(Self.name(parameter)) has no value"
        case .emptyElement(let parameter, let index):
            "\(Self.name(parameter)) has nothing at place \(index + 1) of its list"
        case .unfinishedEscape(let parameter):
            #"\#(Self.name(parameter)) ends with a "\", which must stand before a "," or another "\""#
        case .undefinedEscape(let parameter, let found):
            #"\#(Self.name(parameter)) has a "\" before \#(Self.quoted(String(found))), where it may stand before a "," "#
                + #"or another "\" alone"#
        case .notAChoice(let parameter, let found, let choices): Self.notAChoice(parameter, found, choices)
        case .repeatedSortKey(let member): "\(Self.name(.sort)) names \"\(member.rawValue)\" more than once"
        case .notACount(let parameter, let found, let allowed):
            "\(Self.name(parameter)) must be a whole number from \(allowed.lowerBound) to \(allowed.upperBound), "
                + "not \(Self.quoted(found))"
        case .notAnAmount(let parameter, let found):
            "\(Self.name(parameter)) must be a decimal number of at most 38 digits, such as 19.99, "
                + "not \(Self.quoted(found))"
        case .amountBeyondRange(let parameter, let found):
            "\(Self.name(parameter)) must be above -1e128 and below 1e128, with at most 128 decimal places, "
                + "not \(Self.quoted(found))"
        case .pricesOutOfOrder(let least, let greatest):
            "\(Self.name(.minPrice)) is \(least), more than \"max_price\", which is \(greatest)"
        case .noWords(let found): "\(Self.name(.q)) has no word to search for: \(Self.quoted(found))"
        case .tooManyWords(let found, let limit): "\(Self.name(.q)) has \(found) words, more than \(limit)"
        case .cursor(let problem): "\(Self.name(.cursor)) cannot be used: \(problem)"
        }
    }

    private static func unknown(_ name: String, _ known: [String]) -> String {
        let hint = suggestion(for: name, among: known)
        return "unknown query parameter \(quoted(name))" + (hint.isEmpty ? ": this" : "\(hint) This")
            + " resource takes \(WordList.enumeration(quoting: known))"
    }

    private static func notAChoice(_ parameter: ProductsQueryParameter, _ found: String, _ choices: [String]) -> String
    {
        "\(name(parameter)) may be \(WordList.alternatives(quoting: choices)), not \(quoted(found))"
            + suggestion(for: found, among: choices)
    }

    private static func suggestion(for name: String, among names: [String]) -> String {
        ClosestName.to(name, among: names).map { "; did you mean \"\($0)\"?" } ?? ""
    }

    private static func name(_ parameter: ProductsQueryParameter) -> String {
        "query parameter \"\(parameter.rawValue)\""
    }

    private static func quoted(_ found: String) -> String { "\"\(TextExcerpt(found, limit: 60))\"" }
}
