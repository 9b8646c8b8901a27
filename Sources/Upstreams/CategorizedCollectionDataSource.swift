package import Concurrency
package import Decoding
internal import FoundationEssentials
internal import Hashing
package import Health
internal import JSON
package import Logging
package import Networking
internal import Products
package import Text

/// Reads the categories of an upstream before its list, and puts them in place of the ids that items have of them.
///
/// The last good categories are kept in memory, for a refresh that cannot read them. Without any it fails: no product is
/// served with ids where others had names. No validator is sent for the list, since new categories change it too.
package final class CategorizedCollectionDataSource: CollectionDataSource {
    private struct Categories: Sendable {
        let tree: CategoryTree
        let digest: ContentDigest
        var entityTag: String?
        let readAt: Date
    }

    private let upstream: any CollectionDataSource
    private let source: any CollectionDataSource
    private let ids: CategoryIDs
    private let label: String
    private let logger: Logger
    private let secrets: @Sendable () -> [Secret]
    /// Records since when the last categories have replaced the upstream's.
    private let book: TroubleBook
    private let kept = Mutex<Categories?>(nil)
    /// The unknown ids and the cycles that the log has last.
    private let reported = Mutex<[[String]]>([])

    /// - Parameters:
    ///   - source: reads the categories.
    ///   - label: the provider in the log.
    ///   - secrets: removed from the log.
    package init(
        _ upstream: any CollectionDataSource, categories source: any CollectionDataSource, _ ids: CategoryIDs,
        label: String = "http", wallClock: WallClock = .system,
        logger: Logger = Logger(label: "http") { _ in SwiftLogNoOpLogHandler() },
        secrets: @escaping @Sendable () -> [Secret] = { [] }
    ) {
        (self.upstream, self.source, self.ids) = (upstream, source, ids)
        (self.label, self.logger, self.secrets) = (label, logger, secrets)
        book = TroubleBook(wallClock: wallClock)
    }

    package var collection: CollectionResource { upstream.collection }

    package func read(
        unless entityTag: String?, adding headers: [HTTPHeader], wallClock: WallClock
    ) async throws -> CollectionReading {
        let (categories, confirmation) = try await categories(adding: headers, wallClock)
        var reading = try await upstream.read(unless: nil, adding: headers, wallClock: wallClock)
        if let confirmation { reading.join(confirmation) }
        if let content = reading.content {
            reading.content = try await offLoop { [self] in joined(content, categories) }
        }
        return reading
    }

    private func joined(_ content: CollectionContent, _ categories: Categories) -> CollectionContent {
        // The decoder reports a document without items.
        guard let items = content.items(of: collection) else { return content }
        let (joined, unknown) = categories.tree.joined(items, ids)
        report(unknown, categories.tree.cycles)
        return CollectionContent(
            body: .items(joined), digest: ContentDigest(of: content.digest.bytes + categories.digest.bytes),
            entityTag: nil)
    }

    /// Returns the categories, or the last good ones if the upstream's cannot be read.
    /// - Returns: also the ages that the responses state; nil for the last good categories.
    private func categories(
        adding headers: [HTTPHeader], _ wallClock: WallClock
    ) async throws -> (Categories, CollectionReading?) {
        let last = kept.withLock { $0 }
        do {
            let reading = try await source.read(unless: last?.entityTag, adding: headers, wallClock: wallClock)
            guard let content = reading.content else {
                if let last {
                    book.record(.source, nil)
                    return (last, reading)
                }
                throw ProductsFailure.upstreamStatus(304, retryAfter: nil)
            }
            let now = wallClock.now()
            let read = try await offLoop { [self] in try self.read(content, at: now) }
            kept.withLock { $0 = read }
            book.record(.source, nil)
            return (read, reading)
        } catch let error where !(error is CancellationError) {
            let failure =
                (error as? HTTPClientError).map { ProductsFailure($0, limits: source.collection.limits) }
                ?? ProductsFailure(error)
            guard let last, failure != .cancelled else {
                throw failure.from(provider: label, url: source.collection.place)
            }
            // The next request is unconditional, since the condition may be what fails.
            kept.withLock { $0?.entityTag = nil }
            let reason = "\(failure.redacting(secrets().map { $0.reveal() }))"
            book.record(.source, "the categories are those of \(last.readAt.formatted(.iso8601)): \(reason)")
            logger.warning(
                "categories could not be fetched, using the last ones",
                metadata: [
                    "provider": "\(label)", "error": "\(reason)", "read_at": "\(last.readAt.formatted(.iso8601))",
                ])
            return (last, nil)
        }
    }

    private func read(_ content: CollectionContent, at time: Date) throws(ProductsFailure) -> Categories {
        guard let items = content.items(of: source.collection) else {
            throw .malformed(detail: "categories: expected JSON with an array of them")
        }
        return Categories(
            tree: try CategoryTree(items, ids.members), digest: content.digest, entityTag: content.entityTag,
            readAt: time)
    }

    /// Logs ids without a category and cycles of parents, unless the log has the same already.
    private func report(_ unknown: [String: Int], _ cycles: [String]) {
        let found = [unknown.keys.sorted(), cycles]
        let isNew = reported.withLock { last in
            defer { last = found }
            return last != found
        }
        guard isNew else { return }
        let redaction = Redaction(secrets().map { $0.reveal() })
        func list(_ ids: [String]) -> String {
            redaction.applied(to: WordList.enumeration(quoting: ids.prefix(5).map { "\(TextExcerpt($0, limit: 40))" }))
        }
        if !unknown.isEmpty {
            logger.warning(
                "unknown category ids are kept in place of categories",
                metadata: [
                    "provider": "\(label)", "ids": "\(unknown.count)", "uses": "\(unknown.values.reduce(0, +))",
                    "first": "\(list(unknown.keys.sorted()))",
                ])
        }
        if !cycles.isEmpty {
            logger.warning(
                "categories contain themselves; their paths are cut",
                metadata: ["provider": "\(label)", "categories": "\(cycles.count)", "first": "\(list(cycles))"])
        }
    }
}

extension CategorizedCollectionDataSource: TroubleReporting {
    /// The last categories while they cannot be read anew.
    package var troubles: [Trouble] { book.troubles }
}
