package import FoundationEssentials
internal import Text

/// An error in the parameters of a query: the value found, and the allowed ones.
package enum ProductsQueryProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The parameter does not exist.
    case unknown(String, known: [String])
    case repeated(String)
    case empty(String)
    /// The element at an index of the parameter's list is empty.
    case emptyElement(String, index: Int)
    case unfinishedEscape(String)
    /// The list has a `\` before a character that needs no escape.
    case undefinedEscape(String, found: Unicode.Scalar)
    /// The value, or an element of the list, is none of the choices.
    case notAChoice(String, found: String, choices: [String])
    /// An element of the list stands there twice.
    case repeatedElement(String, found: String)
    /// The value is not a whole number in the range.
    case notACount(String, found: String, allowed: ClosedRange<Int>)
    /// The value is not a decimal number, or has more digits than can be compared exactly.
    case notAnAmount(String, found: String)
    /// The decimal number is too great, or has too many decimal places, to be compared exactly.
    case amountBeyondRange(String, found: String)
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
            parameter
        case .repeatedElement(let parameter, _): parameter
        case .pricesOutOfOrder: ProductsQueryParameter.minPrice.rawValue
        case .noWords, .tooManyWords: ProductsQueryParameter.q.rawValue
        case .cursor: ProductsQueryParameter.cursor.rawValue
        }
    }

    /// The sentence for clients, with the value sent, shortened, and the allowed ones.
    package var description: String {
        switch self {
        case .unknown(let name, let known): Self.unknown(name, known)
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
        case .repeatedElement(let parameter, let found):
            "\(Self.name(parameter)) names \(Self.quoted(found)) more than once"
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
            "\(Self.name(ProductsQueryParameter.minPrice.rawValue)) is \(least), more than \"max_price\", which is \(greatest)"
        case .noWords(let found):
            "\(Self.name(ProductsQueryParameter.q.rawValue)) has no word to search for: \(Self.quoted(found))"
        case .tooManyWords(let found, let limit):
            "\(Self.name(ProductsQueryParameter.q.rawValue)) has \(found) words, more than \(limit)"
        case .cursor(let problem): "\(Self.name(ProductsQueryParameter.cursor.rawValue)) cannot be used: \(problem)"
        }
    }

    private static func unknown(_ name: String, _ known: [String]) -> String {
        let hint = suggestion(for: name, among: known)
        return "unknown query parameter \(quoted(name))" + (hint.isEmpty ? ": this" : "\(hint) This")
            + " resource takes \(WordList.enumeration(quoting: known))"
    }

    private static func notAChoice(_ parameter: String, _ found: String, _ choices: [String]) -> String {
        "\(name(parameter)) may be \(WordList.alternatives(quoting: choices)), not \(quoted(found))"
            + suggestion(for: found, among: choices)
    }

    private static func suggestion(for name: String, among names: [String]) -> String {
        ClosestName.to(name, among: names).map { "; did you mean \"\($0)\"?" } ?? ""
    }

    private static func name(_ parameter: String) -> String {
        "query parameter \"\(parameter)\""
    }

    private static func quoted(_ found: String) -> String { "\"\(TextExcerpt(found, limit: 60))\"" }
}
