internal import Glibc

/// The processor time that this process has used, in all its threads.
enum CPUTime {
    /// Runs work several times and tells the least it cost, in milliseconds: whatever else the machine does can only
    /// add to it.
    static func least(of rounds: Int, _ work: () async throws -> Void) async rethrows -> Double {
        var least = Double.infinity
        for _ in 0..<rounds {
            let start = clock()
            try await work()
            least = min(least, Double(clock() - start) / Double(CLOCKS_PER_SEC) * 1000)
        }
        return least
    }
}
