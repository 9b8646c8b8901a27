internal import FoundationEssentials
package import JSON
package import Logging
package import Products
internal import Text

extension DecodedProducts {
    /// The number of products whose prices are looked at.
    private static let sampleLimit = 200

    /// Describes the products that cost nothing, where they are half of a sample or more; nil where they are fewer.
    package var freeProducts: String? {
        let sample = products.prefix(Self.sampleLimit)
        let (free, count) = (sample.count { $0.price.amount == 0 }, sample.count)
        guard free > 0, free * 2 >= count else { return nil }
        return "\(free) of \(count) products cost 0" + (pricePlace.map { " (\($0))" } ?? "")
    }
}

/// Finds the number of all items that an upstream states around a list.
package enum StatedTotal {
    /// The names of such a number, in lower case without marks. A `count` may also be the length of the list.
    package static let names = [
        "total", "totalcount", "totalitems", "totalresults", "totalelements", "totalrecords", "totalproducts",
        "totalhits", "numfound", "recordsfiltered", "recordstotal", "resultcount", "count",
    ]
    /// The names of a page's number, which an upstream with one page has no use for.
    package static let pageNumbers = ["page", "currentpage", "pagenumber", "pageno"]
    package static let pageCounts = ["totalpages", "pagecount", "lastpage", "pages"]
    private static let depthLimit = 4

    /// Describes why a document may lack items: `"meta.total" is 10, and 4 items came`.
    /// - Parameter document: possibly without its items.
    package static func missing(in document: JSONValue, of count: Int) -> String? {
        if let total = first(names, in: document, where: { $0 > count }) {
            return missing(total.place, total.number, of: count)
        }
        guard count > 0, first(names + pageCounts, in: document, where: { _ in true }) == nil,
            let page = first(pageNumbers, in: document, where: { _ in true })
        else { return nil }
        return "\(page.place) is \(page.number), and nothing says how many items there are"
    }

    package static func missing(_ place: String, _ total: Int, of count: Int) -> String? {
        total > count ? "\(place) is \(total), and \(count) \(count == 1 ? "item" : "items") came" : nil
    }

    private static func first(
        _ names: [String], in value: JSONValue, at path: [String] = [], where isAccepted: (Int) -> Bool
    ) -> (place: String, number: Int)? {
        guard path.count < depthLimit, let object = value.object else { return nil }
        for member in object.members where names.contains(member.key.lowercased().filter { $0.isLetter }) {
            guard let number = member.value.number?.integer, isAccepted(number) else { continue }
            return ("\"\(TextExcerpt((path + [member.key]).joined(separator: "."), limit: 60))\"", number)
        }
        for member in object.members {
            let found = first(names, in: member.value, at: path + [member.key], where: isAccepted)
            if found != nil { return found }
        }
        return nil
    }
}

extension Logger {
    /// Logs the skipped items, and what a first document shows about a mapping, in one line each.
    ///
    /// - Parameters:
    ///   - isFirst: whether these are the first products of the source. Most findings are logged only then.
    ///   - provider: the provider that read them.
    ///   - secrets: the secrets sent to the upstream, which it may have echoed in the items.
    package func report(
        _ decoded: DecodedProducts, isFirst: Bool, by provider: String, redacting secrets: [String] = []
    ) {
        let redaction = Redaction(secrets)
        if let first = decoded.skipped.first {
            warning(
                "items omitted from the catalogue",
                metadata: [
                    "provider": "\(provider)", "items": "\(decoded.skipped.count)",
                    "first": "\(redaction.applied(to: first.reason))",
                ])
        }
        if isFirst, decoded.isAllLeftOut {
            warning(
                "no item meets the conditions in \"when\"",
                metadata: ["provider": "\(provider)", "items": "\(decoded.leftOut)"])
        }
        guard isFirst else { return }
        for (message, key, found) in [
            ("paths of the mapping match nothing in any item", "paths", decoded.unmatched),
            ("ids match no object in \"includes\"", "ids", decoded.danglingIDs),
            ("members of another form were kept in \"unconverted\"; map them", "members", decoded.unconverted),
            (
                "members that look internal are public; list the public ones in \"attributes\", or name these in \"omit\"",
                "members",
                decoded.internalMembers
            ),
            ("half of the products or more cost nothing", "prices", decoded.freeProducts.map { [$0] } ?? []),
            (
                "the document may be one page of several; add \"pagination\"", "total",
                decoded.missingItems.map { [$0] } ?? []
            ),
        ] where !found.isEmpty {
            let text = redaction.applied(to: found.joined(separator: "; "))
            warning("\(message)", metadata: ["provider": "\(provider)", "\(key)": "\(text)"])
        }
    }
}
