/// Frees memory by cutting off the clients that read their answers most slowly.
///
/// Such clients would otherwise keep new answers from being made for anybody: each holds an answer of its own for as
/// long as it likes to read.
actor SlowReaders {
    private var reset: (@Sendable (_ wanted: Int) async -> Int)?
    /// The release that was asked for last.
    private var last: Task<Void, Never>?

    /// Sets how clients are cut off: by a function that resets the slowest until the wanted bytes are released, and
    /// returns how many were.
    func cut(by reset: @escaping @Sendable (_ wanted: Int) async -> Int) {
        self.reset = reset
    }

    /// Cuts clients off until no bytes are missing, or none is left to be cut off. Releases run one at a time, so that
    /// many that are asked for at once do not cut off more than one of them would.
    func release(missing: @escaping @Sendable () -> Int) async {
        guard let reset else { return }
        let previous = last
        let release = Task {
            await previous?.value
            while case let wanted = missing(), wanted > 0 {
                guard await reset(wanted) > 0 else { return }
            }
        }
        last = release
        await release.value
    }
}
