public import JSON
import Text

/// Where a failure comes from, for messages.
///
/// It takes no part in comparisons: a failure is the same one wherever it happens. Kept by reference, because failures
/// are copied with the state that requests read.
public struct FailureSource: Sendable, Hashable {
    private final class Names: Sendable {
        let url: String?
        let provider: String?
        let part: String?
        let item: String?

        init(_ url: String?, _ provider: String?, _ part: String?, _ item: String?) {
            self.url = url
            self.provider = provider
            self.part = part
            self.item = item
        }
    }

    /// A source about which nothing is known.
    public static let unknown = FailureSource()

    private let names: Names?

    /// The URL that was asked, without user, password and query.
    public var url: String? { names?.url }
    /// The provider that asked, by the name that metrics have for it.
    public var provider: String? { names?.provider }
    /// The part of a `merge` that failed; the innermost one where merges are nested.
    public var part: String? { names?.part }
    /// The id of the item that is not good.
    public var item: String? { names?.item }

    /// A source, as far as it is known.
    public init(url: String? = nil, provider: String? = nil, part: String? = nil, item: String? = nil) {
        let isKnown = url != nil || provider != nil || part != nil || item != nil
        names = isKnown ? Names(url, provider, part, item) : nil
    }

    /// The source of an item by the value of its id, which may be anything.
    public init(itemID value: JSONValue?) {
        let id: String? =
            switch value {
            case .string(let text) where !text.isEmpty: text
            case .number(let number): number.literal
            default: nil
            }
        self.init(item: id.map { TextExcerpt($0).description })
    }

    /// Always true; see above.
    public static func == (_: FailureSource, _: FailureSource) -> Bool { true }

    /// Adds nothing, as all sources are equal.
    public func hash(into _: inout Hasher) {}

    /// A sentence about a failure, with the URL unless it is in it, and who failed.
    func completing(_ sentence: String) -> String {
        let place = url.flatMap { sentence.contains($0) ? nil : ", from \($0)" } ?? ""
        let known = [("provider", provider), ("part", part), ("item", item)].compactMap { name, value in
            value.map { "\(name) \"\($0)\"" }
        }
        return sentence + place + (known.isEmpty ? "" : " (\(known.joined(separator: ", ")))")
    }

    func redacted(by redaction: Redaction) -> FailureSource {
        FailureSource(
            url: url.map(redaction.applied), provider: provider, part: part, item: item.map(redaction.applied))
    }
}

extension ProductsFailure {
    /// Where it comes from, for those failures that an upstream causes.
    public var source: FailureSource {
        switch self {
        case .unreachable(_, _, let source), .timedOut(_, let source), .upstreamStatus(_, _, let source),
            .tooManyRedirects(_, let source), .tooLarge(_, let source), .malformed(_, let source),
            .refused(_, let source):
            source
        case .notStored, .storeFailed, .unavailable, .circuitOpen, .overloaded, .cancelled: .unknown
        }
    }

    /// Returns the failure with another source; a failure that no upstream causes stays as it is.
    public func from(_ source: FailureSource) -> ProductsFailure {
        switch self {
        case .unreachable(let reason, let detail, _): .unreachable(reason, detail: detail, at: source)
        case .timedOut(let limit, _): .timedOut(after: limit, at: source)
        case .upstreamStatus(let status, let retryAfter, _):
            .upstreamStatus(status, retryAfter: retryAfter, at: source)
        case .tooManyRedirects(let limit, _): .tooManyRedirects(limit: limit, at: source)
        case .tooLarge(let limit, _): .tooLarge(limit: limit, at: source)
        case .malformed(let detail, _): .malformed(detail: detail, at: source)
        case .refused(let reason, _): .refused(reason, at: source)
        case .notStored, .storeFailed, .unavailable, .circuitOpen, .overloaded, .cancelled: self
        }
    }

    /// Returns the failure as one of a provider that asked for this URL.
    public func from(provider: String, url: String) -> ProductsFailure {
        from(FailureSource(url: url, provider: provider, part: source.part, item: source.item))
    }

    /// Returns the failure as one of a part of a `merge`.
    public func within(part: String) -> ProductsFailure {
        from(
            FailureSource(
                url: source.url, provider: source.provider, part: source.part ?? part, item: source.item))
    }
}
