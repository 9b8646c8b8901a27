internal import Products

/// What a provider under contract gets its products from: a scripted provider, a server on loopback, a file.
///
/// The suite drives all of them alike and so need not know which one it has.
protocol ContractUpstream: Sendable {
    /// From now on it has these products.
    func serve(_ products: [any Product]) throws
    /// From now on it fails.
    func fail() throws
    /// From now on it keeps every caller waiting.
    func hang()
    /// Returns as soon as a caller waits.
    func waitForCaller() async
    /// Returns as soon as a caller that waited has gone.
    func waitForCancellation() async
    /// Lets go whoever waits.
    func stop()
}
