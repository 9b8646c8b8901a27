/// A store that tells what is in it.
public protocol StoreReporting: Sendable {
    /// How many generations there are to step back to, the newest included; nil when that cannot be told now. It does
    /// not wait for a disk that hangs.
    func generationCount() async -> Int?
    /// For how long the save that runs has been running; zero without one.
    var savingTime: Duration { get }
}
