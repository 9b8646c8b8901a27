public import FoundationEssentials

/// What is wrong with the parameters of a query: what was found, and what is allowed instead.
public enum ProductsQueryProblem: Error, Sendable, Hashable {
    /// There is no such parameter.
    case unknown(String, known: [ProductsQueryParameter])
    /// The parameter is there more than once.
    case repeated(ProductsQueryParameter)
    /// The parameter has no value, or an empty one.
    case empty(ProductsQueryParameter)
    /// The element at an index of the parameter's list is empty.
    case emptyElement(ProductsQueryParameter, index: Int)
    /// The parameter's list ends with a `\` that stands before nothing.
    case unfinishedEscape(ProductsQueryParameter)
    /// The parameter's list has a `\` before something that needs none.
    case undefinedEscape(ProductsQueryParameter, found: Unicode.Scalar)
    /// The value, or an element of the list, is none of the words it may be.
    case notAChoice(ProductsQueryParameter, found: String, choices: [String])
    /// The list of sort keys names a member twice.
    case repeatedSortKey(ProductsSortKey.Member)
    /// The value is not a whole number in the range.
    case notACount(ProductsQueryParameter, found: String, allowed: ClosedRange<Int>)
    /// The value is not a decimal number, or has more digits than can be compared exactly.
    case notAnAmount(ProductsQueryParameter, found: String)
    /// The value is a decimal number, but too great, or of too many decimal places, to be compared exactly.
    case amountBeyondRange(ProductsQueryParameter, found: String)
    /// The least price is above the greatest.
    case pricesOutOfOrder(least: Decimal, greatest: Decimal)
    /// What is searched for has nothing but blanks and punctuation.
    case noWords(found: String)
    /// More words are searched for than the limit.
    case tooManyWords(found: Int, limit: Int)
    /// The cursor cannot be used.
    case cursor(PageCursorProblem)

    /// The name of the parameter that is wrong, as the client wrote it: what a problem's pointer points to.
    public var parameter: String {
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
}
