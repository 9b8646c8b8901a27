import HTTPServer
import Products
import Querying

/// Other ways to write what may count as the same.
enum Respelling {
    private static let decompositions: [Unicode.Scalar: String] = [
        "é": "e\u{301}", "è": "e\u{300}", "û": "u\u{302}", "가": "\u{1100}\u{1161}", "방": "\u{1107}\u{1161}\u{11BC}",
        "ё": "\u{435}\u{308}", "\u{212A}": "K", "が": "か\u{3099}",
    ]
    private static let amounts = ProductsQueryParameter.allCases.filter { $0.form == .amount }.map(\.rawValue)

    /// The item with the letters of its value taken apart.
    static func decomposed(_ item: HTTPQueryItem) -> HTTPQueryItem {
        let value = item.value?.unicodeScalars.reduce(into: "") { $0 += decompositions[$1] ?? String($1) }
        return HTTPQueryItem(name: item.name, value: value)
    }

    /// The item with an exponent that changes nothing, and without the sign of a zero, if it is an amount.
    static func respeltAmount(_ item: HTTPQueryItem) -> HTTPQueryItem {
        guard amounts.contains(item.name), let value = item.value else { return item }
        let unsigned = value == "-0" ? "0" : value
        let hasExponent = unsigned.utf8.contains { $0 | 0x20 == UInt8(ascii: "e") }
        return HTTPQueryItem(name: item.name, value: hasExponent ? unsigned : unsigned + "e0")
    }
}
