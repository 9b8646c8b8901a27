internal import Configuration
internal import HTTPServer

/// By which request headers the answers of a graph vary: what is read from requests, and what caches are told.
///
/// Caches are told of `Accept-Encoding` as well, by which the form of every answer varies, whatever the graph.
struct AnswerVariance: Sendable {
    /// The value of `Vary`: the headers' names, sorted.
    let vary: String
    /// The header `Vary`.
    let head: HTTPHeaderBlock
    /// How many variants there are of an answer.
    let variants: Int
    /// In lower case, sorted.
    private let names: [String]

    /// The variance of a graph with these variations.
    init(_ variations: [RequestVariation]) {
        names = Set(variations.map(\.header)).sorted()
        vary = Set(names + ["accept-encoding"]).sorted().map(Self.canonical).joined(separator: ", ")
        head = Self.head(vary)
        variants = variations.reduce(1) { product, variation in
            let (variants, isTooMuch) = product.multipliedReportingOverflow(by: max(1, variation.variants.count))
            return isTooMuch ? .max : variants
        }
    }

    /// The headers' names as `Vary` has them.
    var fieldNames: [String] { names.map(Self.canonical) }

    /// Whether the graph has one answer for all.
    var isNone: Bool { names.isEmpty }

    /// The headers that the graph consults, as far as a request has them. Without any nothing is read.
    func headers(of request: HTTPRequest) -> [String: String] {
        guard !isNone else { return [:] }
        return names.reduce(into: [:]) { $0[$1] = request.header($1) }
    }

    /// The name with each of its words capitalised: `X-Tier`.
    private static func canonical(_ name: String) -> String {
        name.split(separator: "-", omittingEmptySubsequences: false)
            .map { $0.prefix(1).uppercased() + $0.dropFirst() }
            .joined(separator: "-")
    }

    /// A header's name is a token, so it can be a value.
    private static func head(_ vary: String) -> HTTPHeaderBlock {
        var head = HTTPHeaderBlock()
        do { try head.append("Vary", vary) } catch { preconditionFailure("\(error)") }
        return head
    }
}
