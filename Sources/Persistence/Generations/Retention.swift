internal import FoundationEssentials

/// The rules for the generations that a store keeps.
///
/// A generation stays as long as its rank or one of the windows requires it. Its time is the last confirmation of its
/// products; hours and days are in UTC. `hourly` and `daily` keep the newest generation of each hour or day. For an
/// hour or day without any they keep the next one, which was confirmed throughout. Each window should be longer than
/// the period of the next.
package struct Retention: Sendable, Hashable {
    /// The number of the newest generations to keep; at least 1.
    package var keep: Int
    /// The time for which all generations stay.
    package var all: Duration
    /// The time for which one generation an hour stays.
    package var hourly: Duration
    /// The time for which one generation a day stays.
    package var daily: Duration
    /// The limit of the total size in bytes; nil for none. The oldest go first, whatever the other rules require, but
    /// never those that an operator may step back to.
    package var maxBytes: Int?

    package init(
        keep: Int = 3, all: Duration = .zero, hourly: Duration = .zero, daily: Duration = .zero, maxBytes: Int? = nil
    ) {
        precondition(keep >= 1, "a store that keeps nothing")
        self.keep = keep
        (self.all, self.hourly, self.daily) = (all, hourly, daily)
        self.maxBytes = maxBytes
    }

    /// A generation that may be removed.
    struct Candidate: Sendable {
        let name: GenerationName
        /// The last confirmation of its products; nil if its header cannot be read.
        let time: Date?
        /// The size of its file.
        let size: Int
        /// Whether it is pinned, or may be.
        let isPinned: Bool
        /// Whether a newer version of the service wrote it.
        let isForeign: Bool

        /// Whether it must stay.
        var isFixed: Bool { isPinned || isForeign }
    }

    /// The number of newest generations that stay even on a full disk: the current one and the one before it, which an
    /// operator may step back to. The pinned one counts as current.
    static func protected(_ generations: [Candidate]) -> Int {
        generations.contains(where: \.isPinned) ? 1 : 2
    }

    /// The generation to remove on a full disk: of those that are neither current nor fixed, one that was current for
    /// less than an hour, or else the oldest. So wrong catalogues that come and go replace each other, and not the one
    /// before them, which an operator may step back to. Nil if at most one is left for that.
    ///
    /// - Parameter generations: all of the directory, newest first.
    static func dispensable(of generations: [Candidate]) -> Candidate? {
        func wasBrief(_ index: Int) -> Bool {
            guard index + 1 < generations.count, let end = generations[index].time,
                let start = generations[index + 1].time
            else { return false }
            return end.timeIntervalSince(start) < 3600
        }
        let places = generations.indices.dropFirst().filter { !generations[$0].isFixed }
        guard places.count >= protected(generations) else { return nil }
        return (places.last(where: wasBrief) ?? places.last).map { generations[$0] }
    }

    /// The generations beyond all rules, oldest first.
    ///
    /// - Parameter generations: all of the directory, newest first.
    func surplus(of generations: [Candidate], at now: Date) -> [Candidate] {
        var wanted = Set(generations.indices.prefix(keep))
        let start = now.addingTimeInterval(-(all / .seconds(1)))
        for (index, generation) in generations.enumerated() {
            let isYoung = all > .zero && generation.time.map { $0 >= start } ?? false
            if generation.isFixed || isYoung { wanted.insert(index) }
        }
        wanted.formUnion(lastOfEach(3600, within: hourly, before: now, of: generations))
        wanted.formUnion(lastOfEach(86400, within: daily, before: now, of: generations))
        if let maxBytes {
            let protected = Self.protected(generations)
            var size = wanted.reduce(0) { $0 + generations[$1].size }
            for index in wanted.sorted(by: >)
            where size > maxBytes && index >= protected && !generations[index].isFixed {
                wanted.remove(index)
                size -= generations[index].size
            }
        }
        return generations.indices.reversed().filter { !wanted.contains($0) }.map { generations[$0] }
    }

    /// The indices of the generations that stay for the periods of this length within a window.
    private func lastOfEach(
        _ length: Double, within window: Duration, before now: Date, of generations: [Candidate]
    ) -> Set<Int> {
        guard window > .zero else { return [] }
        func period(_ moment: Date) -> Int { Int((moment.timeIntervalSince1970 / length).rounded(.down)) }
        let first = period(now.addingTimeInterval(-(window / .seconds(1))))
        var periods: [Int: (newest: Int, oldest: Int)] = [:]
        for (index, generation) in generations.enumerated() {
            guard let time = generation.time else { continue }
            periods[period(time), default: (index, index)].oldest = index
        }
        var kept: Set<Int> = []
        var previous = first - 1
        for (period, places) in periods.sorted(by: { $0.key < $1.key }) where period >= first {
            kept.insert(places.newest)
            if period > previous + 1 { kept.insert(places.oldest) }
            previous = period
        }
        return kept
    }
}
