package import JSON
internal import Text

/// The origin of a failure, for messages.
///
/// All sources are equal, so that failures compare by their cause. Kept by reference, because failures are copied with
/// the state that requests read.
public struct FailureSource: Sendable, Hashable {
    private final class Names: Sendable {
        let url: String?
        let provider: String?
        let part: String?
        let item: String?
        let member: String?
        let page: Int?

        init(_ url: String?, _ provider: String?, _ part: String?, _ item: String?, _ member: String?, _ page: Int?) {
            (self.url, self.provider, self.part, self.item, self.member) = (url, provider, part, item, member)
            self.page = page
        }
    }

    /// An unknown source.
    public static let unknown = FailureSource()

    private let names: Names?

    /// The URL of the request, without user, password and query.
    package var url: String? { names?.url }
    /// The metric label of the provider that sent it.
    package var provider: String? { names?.provider }
    /// The part of a `merge` that failed; the innermost one of nested merges.
    package var part: String? { names?.part }
    /// The id of the invalid item.
    package var item: String? { names?.item }
    /// The member of that item that the request was for.
    var member: String? { names?.member }
    /// The page of the collection that the request was for, from 1.
    package var page: Int? { names?.page }

    package init(
        url: String? = nil, provider: String? = nil, part: String? = nil, item: String? = nil, member: String? = nil,
        page: Int? = nil
    ) {
        let isKnown = page != nil || [url, provider, part, item, member].contains { $0 != nil }
        names = isKnown ? Names(url, provider, part, item, member, page) : nil
    }

    /// Names an item by the value of its id; unknown unless that is a text or number.
    ///
    /// - Parameters:
    ///   - member: the member of the item that the request was for.
    ///   - url: the URL of that request.
    package init(itemID value: JSONValue?, member: String? = nil, url: String? = nil) {
        let id: String? =
            switch value {
            case .string(let text) where !text.isEmpty: text
            case .number(let number): number.literal
            default: nil
            }
        self.init(url: url, item: id.map { TextExcerpt($0).description }, member: member)
    }

    /// Always true.
    public static func == (_: FailureSource, _: FailureSource) -> Bool { true }

    /// Adds nothing, since all sources are equal.
    public func hash(into _: inout Hasher) {}

    /// Completes a sentence about a failure by URL, provider, part and item.
    func completing(_ sentence: String) -> String {
        let place = url.flatMap { sentence.contains($0) ? nil : ", from \($0)" } ?? ""
        let known = [("provider", provider), ("part", part), ("item", item), ("member", member)].compactMap {
            name, value in
            value.map { "\(name) \"\($0)\"" }
        }
        return sentence + place + (known.isEmpty ? "" : " (\(known.joined(separator: ", ")))")
    }

    func redacted(by redaction: Redaction) -> FailureSource {
        FailureSource(
            url: url.map(redaction.applied), provider: provider, part: part, item: item.map(redaction.applied),
            member: member, page: page)
    }
}

extension ProductsFailure {
    /// The source of a failure caused by an upstream.
    package var source: FailureSource {
        switch self {
        case .unreachable(_, _, let source), .timedOut(_, _, let source), .upstreamStatus(_, _, let source),
            .tooManyRedirects(_, let source), .tooLarge(_, let source), .malformed(_, let source),
            .refused(_, let source):
            source
        case .notStored, .storeFailed, .unavailable, .paused, .circuitOpen, .overloaded, .cancelled: .unknown
        }
    }

    /// Returns the failure with another source; failures not caused by an upstream are unchanged.
    package func from(_ source: FailureSource) -> ProductsFailure {
        switch self {
        case .unreachable(let reason, let detail, _): .unreachable(reason, detail: detail, at: source)
        case .timedOut(let limit, let isConnecting, _): .timedOut(after: limit, isConnecting: isConnecting, at: source)
        case .upstreamStatus(let status, let retryAfter, _):
            .upstreamStatus(status, retryAfter: retryAfter, at: source)
        case .tooManyRedirects(let limit, _): .tooManyRedirects(limit: limit, at: source)
        case .tooLarge(let limit, _): .tooLarge(limit: limit, at: source)
        case .malformed(let detail, _): .malformed(detail: detail, at: source)
        case .refused(let reason, _): .refused(reason, at: source)
        case .notStored, .storeFailed, .unavailable, .paused, .circuitOpen, .overloaded, .cancelled: self
        }
    }

    /// Returns the failure with a provider and the URL of its request.
    ///
    /// - Parameter url: ignored if the failure has a URL already.
    package func from(provider: String, url: String) -> ProductsFailure {
        from(
            FailureSource(
                url: source.url ?? url, provider: provider, part: source.part, item: source.item,
                member: source.member, page: source.page))
    }

    /// Returns the failure with a part of a `merge`.
    package func within(part: String) -> ProductsFailure {
        from(
            FailureSource(
                url: source.url, provider: source.provider, part: source.part ?? part, item: source.item,
                member: source.member, page: source.page))
    }
}
