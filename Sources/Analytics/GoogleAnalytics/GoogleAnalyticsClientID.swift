internal import FoundationEssentials

/// Whom events are counted for where neither they nor the config say it.
enum GoogleAnalyticsClientID {
    /// Made up once in a process, in the form of those that web pages make up: a random number and the time.
    static let ofThisProcess = "\(UInt32.random(in: 1...0x7FFF_FFFF)).\(Int(Date().timeIntervalSince1970))"
}
