extension Duration {
    /// Rounded up, and at least one: libcurl takes 0 for "no limit".
    var wholeMilliseconds: Int {
        guard self > .zero else { return 1 }
        let (seconds, attoseconds) = components
        let perMillisecond: Int64 = 1_000_000_000_000_000
        let thousandth = (attoseconds + perMillisecond - 1) / perMillisecond
        // libcurl keeps timeouts in 32 bits on some platforms; 24 days are as good as no limit.
        return Int(min(seconds, 2_000_000) * 1000 + thousandth)
    }
}
