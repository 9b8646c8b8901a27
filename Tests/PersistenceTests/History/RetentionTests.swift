import FoundationEssentials
import Testing
import TestSupport

@testable import Persistence

@Suite struct RetentionTests {
    private let start = ManualWallClock().now

    private func candidate(
        _ number: Int, _ hours: Double?, size: Int = 1, isFixed: Bool = false
    ) -> Retention.Candidate {
        Retention.Candidate(
            name: GenerationName(number: number), time: hours.map { start.addingTimeInterval($0 * 3600) }, size: size,
            isPinned: isFixed, isForeign: false)
    }

    /// The numbers that stay of generations from the oldest on, which are given by their hours.
    private func kept(_ retention: Retention, _ candidates: [Retention.Candidate], at hours: Double) -> [Int] {
        let newestFirst = Array(candidates.reversed())
        let surplus = retention.surplus(of: newestFirst, at: start.addingTimeInterval(hours * 3600))
        #expect(surplus.map(\.name.number) == surplus.map(\.name.number).sorted())
        return candidates.map(\.name.number).filter { number in !surplus.contains { $0.name.number == number } }
    }

    private func numbered(_ hours: [Double]) -> [Retention.Candidate] {
        hours.enumerated().map { candidate($0 + 1, $1) }
    }

    @Test func `by rank alone the newest stay, readable or not`() {
        #expect(kept(Retention(keep: 2), [candidate(1, 0), candidate(2, nil), candidate(3, 1)], at: 9) == [2, 3])
        #expect(kept(Retention(keep: 9), numbered([0, 1]), at: 99) == [1, 2])
    }

    @Test func `for a while all stay`() {
        let retention = Retention(keep: 1, all: .seconds(3600))
        #expect(kept(retention, numbered([0, 1, 1.5, 2]), at: 2) == [2, 3, 4])
    }

    @Test func `of each hour and day the newest stays`() {
        // The clock starts at noon.
        let hourly = Retention(keep: 1, hourly: .seconds(3 * 3600))
        #expect(kept(hourly, numbered([0.1, 0.9, 1.1, 1.2, 1.8, 2.5, 3.1, 3.2]), at: 3.3) == [2, 5, 6, 8])
        #expect(kept(hourly, numbered([0.1, 0.9, 1.1, 1.2, 1.8, 2.5, 3.1, 3.2]), at: 4.3) == [5, 6, 8])
        let daily = Retention(keep: 1, daily: .seconds(2 * 86400))
        #expect(kept(daily, numbered([1, 11, 13, 20, 40, 50]), at: 51) == [2, 4, 6])
    }

    @Test func `what was confirmed through hours without another stays for them`() {
        let retention = Retention(keep: 1, hourly: .seconds(48 * 3600))
        // The second was in force for five hours, until two bad ones came within the same hour.
        #expect(kept(retention, numbered([0.5, 5.1, 5.2, 5.9, 6.1]), at: 6.5) == [1, 2, 4, 5])
        #expect(kept(retention, numbered([0.5, 5.1, 5.2, 5.9, 6.1, 60]), at: 60) == [6])
    }

    @Test func `one hour without another is enough, also where the window begins with it`() {
        let retention = Retention(keep: 1, hourly: .seconds(3 * 3600))
        #expect(kept(retention, numbered([0.6, 2.1, 2.5, 3.2]), at: 3.5) == [1, 2, 3, 4])
        #expect(kept(retention, numbered([1.1, 1.5, 2.5, 3.2]), at: 3.5) == [1, 2, 3, 4])
        #expect(kept(retention, numbered([0.1, 0.6, 1.1, 1.5, 2.5, 3.2]), at: 3.5) == [2, 4, 5, 6])
    }

    @Test func `too many bytes drop the oldest, but neither the newest nor what is fixed`() {
        let sizes = [candidate(1, 0, size: 4, isFixed: true), candidate(2, 0, size: 4), candidate(3, 0, size: 4)]
        #expect(kept(Retention(keep: 3, maxBytes: 12), sizes, at: 0) == [1, 2, 3])
        #expect(kept(Retention(keep: 3, maxBytes: 11), sizes, at: 0) == [1, 3])
        #expect(kept(Retention(keep: 3, maxBytes: 1), sizes, at: 0) == [1, 3])
        #expect(kept(Retention(keep: 1, maxBytes: 100), sizes, at: 0) == [1, 3])
    }

    @Test func `a clock that was set back removes nothing that is young`() {
        let retention = Retention(keep: 1, all: .seconds(3600), hourly: .seconds(7200))
        #expect(kept(retention, numbered([30, 31, 1]), at: 1) == [1, 2, 3])
    }

    /// A history of saves and confirmations, thinned after each.
    private struct History {
        var random: SeededGenerator
        var now = 0.0
        /// All generations ever, with the time of their last confirmation.
        var all: [(number: Int, hours: Double)] = []
        var alive: Set<Int> = []
        let pinned: Int

        init(seed: Int) {
            random = SeededGenerator(seed: seed)
            pinned = Int.random(in: 1...10, using: &random)
        }

        mutating func step() {
            now +=
                random.chance(10) ? Double.random(in: 1...40, using: &random) : .random(in: 0.01...0.7, using: &random)
            if random.chance(50), !all.isEmpty {
                all[all.count - 1].hours = now
            } else {
                all.append((all.count + 1, now))
                alive.insert(all.count)
            }
        }
    }

    @Test(arguments: 0..<40)
    func `over a random history nothing is lost that a rule wants`(seed: Int) {
        var history = History(seed: seed)
        // Each window is longer than the next one's period, so that what is confirmed from one period into the next is
        // held by the shorter window while the other does not want it.
        let (hours, days) = (Double.random(in: 25...60, using: &history.random), 10.0)
        let retention = Retention(
            keep: Int.random(in: 1...4, using: &history.random), all: .seconds(3600), hourly: .seconds(hours * 3600),
            daily: .seconds(days * 86400))
        for _ in 0..<300 {
            history.step()
            let (now, pinned) = (history.now, history.pinned)
            let files = history.all.filter { history.alive.contains($0.number) }
            history.alive = Set(
                kept(retention, files.map { candidate($0.number, $0.hours, isFixed: $0.number == pinned) }, at: now))

            #expect(history.alive.contains(history.all.count))
            if history.all.count >= pinned { #expect(history.alive.contains(pinned)) }
            #expect(history.alive.isSuperset(of: history.all.suffix(retention.keep).map(\.number)))
            #expect(history.alive.isSuperset(of: history.all.filter { $0.hours >= now - 1 }.map(\.number)))
            for (length, window) in [(1.0, hours), (24, days * 24)] {
                // Noon is half a day after the beginning of a day.
                let ofEach = Dictionary(grouping: history.all) { Int((($0.hours + 12) / length).rounded(.down)) }
                for (period, generations) in ofEach where Double(period) * length - 12 >= now - window {
                    #expect(history.alive.contains(generations.map(\.number).max() ?? 0), "\(period) of \(length) h")
                }
            }
            // At most one for each hour and day, and one more where those before it have none.
            let most = retention.keep + 1 + 2 * (Int(hours) + 2 + Int(days) + 2)
            let young = history.all.filter { $0.hours >= now - 1 }.count
            #expect(history.alive.count <= most + young)
        }
    }
}
