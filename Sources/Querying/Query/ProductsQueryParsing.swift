internal import FoundationEssentials
internal import JSON
internal import Products

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
        taking known: ProductsQueryParameters = ProductsQueryParameters(),
        limits: PageLimits
    ) throws(ProductsQueryProblem) {
        self.init(limit: known.contains(.limit) ? limits.whenNotGiven : nil)
        var read: Set<String> = []
        for item in items {
            guard let parameter = known[item.name] else { throw .unknown(item.name, known: known.names) }
            guard read.insert(item.name).inserted || parameter.form.isList else { throw .repeated(item.name) }
            let value = try QueryValue(item.name, item.value)
            switch parameter {
            case .common(let parameter): try set(parameter, value, known, limits)
            case .declared(let parameter): declared[parameter, default: []].formUnion(try value.texts(of: parameter))
            }
        }
        if limit == 0, facets.isEmpty {
            throw .notACount(ProductsQueryParameter.limit.rawValue, found: "0", allowed: 1...max(1, limits.greatest))
        }
        if let minPrice, let maxPrice, minPrice > maxPrice {
            throw .pricesOutOfOrder(least: minPrice, greatest: maxPrice)
        }
    }
}

struct QueryValue {
    /// The name of the parameter.
    private let parameter: String
    private let text: String

    init(_ parameter: String, _ text: String?) throws(ProductsQueryProblem) {
        guard let text, !text.isEmpty else { throw .empty(parameter) }
        self.parameter = parameter
        self.text = text
    }

    var isZero: Bool { text == "0" }

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

    /// The values of a filter by a declared member: texts as they are, numbers in one notation.
    func texts(of parameter: DeclaredParameter) throws(ProductsQueryProblem) -> Set<ExactText> {
        switch parameter.form {
        case .amount: [ExactText(digits(try amount()))]
        case .amounts:
            Set(
                try list().map { (text) throws(ProductsQueryProblem) in
                    ExactText(digits(try QueryValue(self.parameter, text).amount()))
                })
        case .flag: [ExactText(String(try flag()))]
        case .choices(let choices): Set(try self.choices(of: choices).map { ExactText($0) })
        case .list: try texts(with: nil)
        case .text, .choice, .words, .cursor, .count: [ExactText(text)]
        }
    }

    private func digits(_ amount: Decimal) -> String { ExactDecimal(amount).digits?.literal ?? amount.description }

    /// Some of these words, each once, also beside others.
    func choices(of choices: [String], after others: [String] = []) throws(ProductsQueryProblem) -> [String] {
        var found = others
        for element in try list() {
            guard !found.contains(element) else { throw .repeatedElement(parameter, found: element) }
            guard choices.contains(element) else { throw .notAChoice(parameter, found: element, choices: choices) }
            found.append(element)
        }
        return found
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

    func sortKeys(
        of known: ProductsQueryParameters, after others: [ProductsSortKey]
    ) throws(ProductsQueryProblem) -> [ProductsSortKey] {
        var keys = others
        for element in try list() {
            guard let key = known.sortKey(element) else {
                throw .notAChoice(parameter, found: element, choices: known.sortKeys)
            }
            guard !keys.contains(where: { $0.name == key.name }) else {
                throw .repeatedElement(parameter, found: key.name)
            }
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

package struct PageLimits: Sendable, Hashable {
    /// The default length of a page; nil for the whole catalogue.
    package let whenNotGiven: Int?
    /// The greatest length that a query may request.
    package let greatest: Int

    /// Creates limits from the config.
    /// - Parameter whenNotGiven: nil, or zero, for the whole catalogue.
    package init(whenNotGiven: Int? = nil, greatest: Int = 1000) {
        self.whenNotGiven = whenNotGiven.flatMap { $0 > 0 ? $0 : nil }
        self.greatest = greatest
    }
}
