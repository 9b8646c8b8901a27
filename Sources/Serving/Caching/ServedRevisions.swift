internal import Concurrency
internal import Products

/// Keeps the differences between the served revisions, from any source, for clients that have an earlier one.
///
/// A step between two revisions lists the products that differ, with a hash of each side. The steps connect any two
/// revisions. The oldest are dropped beyond a number, and beyond a size that depends on the catalogue's.
final class ServedRevisions: Sendable {
    /// A product that differs between two revisions.
    private struct Side: Sendable {
        let id: String
        /// The hashes of the product; zero where there is none.
        let before: UInt64
        let after: UInt64
    }

    private struct Step: Sendable {
        let from: String
        let to: String
        let products: [Side]
        /// Whether it has every product of the later revision, in the order there.
        let isWhole: Bool
        /// About the bytes of memory that it takes.
        let size: Int

        /// The revision at the other end; nil if the step does not touch this one.
        func end(beyond revision: String) -> String? { revision == from ? to : revision == to ? from : nil }
    }

    private struct State {
        /// The oldest first.
        var steps: [Step] = []
        var size = 0
    }

    private static let capacity = 1024
    /// The size that is kept at any rate, and the part of a larger catalogue's bytes.
    private static let leastLimit = 4 << 20
    private static let part = 4

    private let state = Mutex(State())

    /// About the bytes of memory that the steps take.
    var byteCount: Int { state.withLock(\.size) }

    /// Records that a catalogue is served after another one. Takes some milliseconds for each ten thousand products, less if
    /// the later one records its origin.
    func record(from before: Catalogue, to after: Catalogue) {
        guard before.revision != after.revision else { return }
        let isKnown = state.withLock { state in
            state.steps.contains { $0.end(beyond: before.revision) == after.revision }
        }
        if isKnown { return }
        let limit = max(Self.leastLimit, after.encoded.count / Self.part)
        let difference = CatalogueDifference(from: before, to: after)
        let count = difference.added.count + difference.changed.count + difference.removed.count
        guard count * MemoryLayout<Side>.stride <= limit else { return }
        var products: [Side] = []
        products.reserveCapacity(count)
        for position in difference.added {
            products.append(Side(id: after.id(at: position), before: 0, after: after.hash(at: position)))
        }
        // The step that led to the earlier revision may have its hashes.
        let last = state.withLock { $0.steps.last { $0.isWhole && $0.to == before.revision } }
        for (old, new) in difference.changed {
            let hash = last?.products[old].after ?? before.hash(at: old)
            products.append(Side(id: after.id(at: new), before: hash, after: after.hash(at: new)))
        }
        for position in difference.removed {
            products.append(Side(id: before.id(at: position), before: before.hash(at: position), after: 0))
        }
        let size = products.reduce(256) {
            $0 + MemoryLayout<Side>.stride + ($1.id.utf8.count > 15 ? 32 + $1.id.utf8.count : 0)
        }
        guard size <= limit else { return }
        let step = Step(
            from: before.revision, to: after.revision, products: products,
            isWhole: difference.changed.count == after.count && count == after.count, size: size)
        let dropped = state.withLock { state in
            state.steps.append(step)
            state.size += size
            var count = max(0, state.steps.count - Self.capacity)
            var left = state.size - state.steps.prefix(count).reduce(0) { $0 + $1.size }
            while left > limit {
                left -= state.steps[count].size
                count += 1
            }
            defer {
                state.steps.removeFirst(count)
                state.size = left
            }
            return Array(state.steps.prefix(count))
        }
        _ = dropped
    }

    /// Returns the difference of a catalogue from an earlier revision; nil if no steps lead there.
    func difference(from revision: String, to target: Catalogue) -> RevisionDifference? {
        guard let way = way(from: revision, to: target.revision) else { return nil }
        // The first step with a product has its hash in the earlier revision.
        var (seen, at) = (Set<String>(), revision)
        var difference = RevisionDifference(since: revision)
        for step in way {
            let isForward = step.from == at
            at = isForward ? step.to : step.from
            for product in step.products where seen.insert(product.id).inserted {
                difference.add(product.id, hash: isForward ? product.before : product.after, in: target)
            }
        }
        difference.sort()
        return difference
    }

    /// Returns the fewest steps from a revision to another, in order; nil if none lead there.
    private func way(from revision: String, to target: String) -> [Step]? {
        var near: [String: [Step]] = [:]
        for step in state.withLock(\.steps) {
            near[step.from, default: []].append(step)
            near[step.to, default: []].append(step)
        }
        var (reached, next) = ([revision: nil as (step: Step, from: String)?], [revision][...])
        while let from = next.popFirst(), reached[target] == nil {
            for step in near[from] ?? [] {
                guard let end = step.end(beyond: from), reached[end] == nil else { continue }
                reached[end] = (step: step, from: from)
                next.append(end)
            }
        }
        guard reached[target] != nil else { return nil }
        var (way, at) = ([Step](), target)
        while let last = reached[at] ?? nil {
            way.append(last.step)
            at = last.from
        }
        return way.reversed()
    }
}

/// The products by which a listing differs from an earlier revision.
struct RevisionDifference {
    let since: String
    /// Positions in the later catalogue.
    private(set) var added: [Int] = []
    private(set) var changed: [Int] = []
    /// Ids of the earlier one.
    private(set) var removed: [String] = []

    init(since revision: String) {
        since = revision
    }

    init(_ difference: CatalogueDifference) {
        since = difference.from.revision
        (added, changed) = (difference.added, difference.changed.map(\.after))
        removed = difference.removed.map { difference.from.id(at: $0) }
    }

    /// Compares a product with what it was.
    /// - Parameter hash: of the product in the earlier revision; zero if there was none.
    fileprivate mutating func add(_ id: String, hash: UInt64, in target: Catalogue) {
        guard let position = target.position(ofID: id) else {
            if hash != 0 { removed.append(id) }
            return
        }
        if hash == 0 {
            added.append(position)
        } else if target.hash(at: position) != hash {
            changed.append(position)
        }
    }

    fileprivate mutating func sort() {
        added.sort()
        changed.sort()
    }
}
