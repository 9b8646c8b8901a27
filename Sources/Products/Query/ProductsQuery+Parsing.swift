internal import FoundationEssentials
internal import JSON

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
            guard read.insert(parameter).inserted else { throw .repeated(parameter) }
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
        case .type: types = Set(try value.list().map { ExactText($0) })
        case .category: categories = Set(try value.list().map { ExactText($0) })
        case .popular: popular = try value.flag()
        case .ids: ids = Set(try value.list().map { ExactText($0) })
        case .q: words = try value.words(limit: Self.wordLimit)
        case .minPrice: minPrice = try value.amount()
        case .maxPrice: maxPrice = try value.amount()
        case .sort: sort = try value.sortKeys()
        case .fields: fields = ProductFields(try value.list())
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

    /// A whole number without a sign.
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

    func sortKeys() throws(ProductsQueryProblem) -> [ProductsSortKey] {
        var keys: [ProductsSortKey] = []
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
