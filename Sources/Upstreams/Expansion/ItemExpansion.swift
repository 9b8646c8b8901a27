package import Decoding
internal import JSON
package import Networking
internal import Products
internal import Text

/// Completes the items of a list with members that the upstream serves at a URL of their own for each item, such as price
/// and stock.
package struct ItemExpansion: Sendable {
    /// The treatment of a member that cannot be fetched.
    package enum FailurePolicy: String, Sendable, CaseIterable {
        /// The member has the value of an earlier refresh; without one the refresh fails.
        case keep
        /// The item does not have the member.
        case omit
        /// The refresh fails.
        case fail
    }

    let members: [ExpandedMember]
    let concurrency: Int
    let rate: RequestRate
    /// The time for the members of all items together.
    let timeout: Duration
    /// The values of an item that change with its members; without any, each member is asked for at each refresh.
    let changedBy: [ItemPath]
    let onFailure: FailurePolicy

    package init(
        members: [ExpandedMember], concurrency: Int, rate: RequestRate, timeout: Duration, changedBy: [ItemPath] = [],
        onFailure: FailurePolicy
    ) {
        (self.members, self.concurrency, self.rate, self.timeout) = (members, concurrency, rate, timeout)
        (self.changedBy, self.onFailure) = (changedBy, onFailure)
    }

    /// Returns the values of an item that change with its members; nil if one of them is missing.
    func stamp(of item: JSONValue) -> [JSONValue]? {
        var stamp: [JSONValue] = []
        for path in changedBy {
            let values = path.values(in: item)
            if values.isEmpty { return nil }
            stamp.append(.array(values))
        }
        return stamp.isEmpty ? nil : stamp
    }
}

/// Receives how many of the requests of an expansion are answered, and how many there are.
package struct ExpansionProgress: Sendable {
    let report: @Sendable (_ answered: Int, _ all: Int) -> Void

    package init(_ report: @escaping @Sendable (_ answered: Int, _ all: Int) -> Void) {
        self.report = report
    }
}

/// A member of an item that has a URL of its own.
package struct ExpandedMember: Sendable, Hashable {
    let name: String
    let url: ItemURL
    /// The path of the value in the answer; nil for the whole answer.
    let take: ItemPath?
    /// Whether the value is an object whose members join those of the item.
    let isMerged: Bool

    package init(name: String, url: ItemURL, take: ItemPath? = nil, isMerged: Bool = false) {
        (self.name, self.url, self.take, self.isMerged) = (name, url, take, isMerged)
    }

    /// Returns the value that an answer has for the member.
    func value(in answer: JSONValue) throws(ProductsFailure) -> JSONValue {
        var value = answer
        if let take {
            guard take.leadsSomewhere(in: answer) else { throw .malformed(detail: "\"\(take)\" leads to nothing") }
            value = take.leadsToList ? .array(take.values(in: answer)) : take.first(in: answer) ?? .null
        }
        if isMerged, value.object == nil { throw .malformed(detail: "expected an object, found \(value.kindName)") }
        return value
    }

    /// Adds a value to an item. Merged members do not replace those of the item.
    func add(_ value: JSONValue, to item: inout JSONObject) {
        guard isMerged else { return item[name] = value }
        for member in value.object?.members ?? [] where item[member.key] == nil { item[member.key] = member.value }
    }
}

/// A path below the base URL with placeholders for values of an item: `/products/{id}/price/`.
package struct ItemURL: Sendable, Hashable {
    /// The reason why a text is no such path, to follow the quoted text.
    package enum Fault: Error, Hashable, CustomStringConvertible {
        case noPlaceholder, unclosed, foreign
        case badPath(String, reason: String)

        package var description: String {
            switch self {
            case .noPlaceholder:
                "has no placeholder, so it is the same for each product; write one like /products/{id}/price/"
            case .unclosed: "has an unmatched brace"
            case .foreign: "must be a path below \"base_url\", like /products/{id}/price/"
            case .badPath(let path, let reason): "has {\(path)}, which \(reason)"
            }
        }
    }

    private enum Part: Sendable, Hashable {
        /// Percent-encoded.
        case text(String)
        case value(ItemPath)
    }

    private let parts: [Part]

    package init(_ text: String) throws(Fault) {
        var (parts, rest) = ([Part](), text[...])
        while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            guard rest[open] == "{", let close = rest[open...].firstIndex(of: "}") else { throw .unclosed }
            let path = String(rest[rest.index(after: open)..<close])
            if path.contains("{") { throw .unclosed }
            guard let value = ItemPath(path), !value.leadsToList else {
                let reason = ItemPath(path) == nil ? ItemPath.fault(of: path) : "leads to several values"
                throw .badPath(path, reason: reason)
            }
            parts += [.text(PercentEncoding.path(String(rest[..<open]))), .value(value)]
            rest = rest[close...].dropFirst()
        }
        if parts.isEmpty { throw .noPlaceholder }
        guard text.hasPrefix("/"), !text.hasPrefix("//") else { throw .foreign }
        self.parts = parts + [.text(PercentEncoding.path(String(rest)))]
    }

    /// Returns the path for an item, percent-encoded.
    func target(for item: JSONValue) throws(ProductsFailure) -> String {
        var target = ""
        for part in parts {
            switch part {
            case .text(let text): target += text
            case .value(let path):
                guard let value = path.first(in: item)?.scalarText, !value.isEmpty else {
                    throw .malformed(detail: "the item has no text or number at \"\(path)\" for its URL")
                }
                target += PercentEncoding.component(value)
            }
        }
        return target
    }
}
