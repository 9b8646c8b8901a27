internal import Glibc

/// Which of a few copies of a counter a thread adds to, so that the threads do not take a cache line from each other
/// with every request.
enum ThreadStripe {
    /// How many copies there are.
    package static let count = 8
    private static let bits = 3

    /// The copy of the thread that runs at this moment.
    static var own: Int {
        // Threads are told apart by addresses a round number apart; the product's highest bits depend on all of them.
        Int(truncatingIfNeeded: (UInt64(pthread_self()) &* 0x9E37_79B9_7F4A_7C15) >> UInt64(64 - bits))
    }
}
