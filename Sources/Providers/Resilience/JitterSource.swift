/// Where the randomness of pauses comes from, as a value that tests can replace.
public struct JitterSource: Sendable {
    /// A number from 0 to 1, each time another one: the share of the longest possible pause.
    public var next: @Sendable () -> Double

    /// A source that gives what the closure gives.
    public init(next: @escaping @Sendable () -> Double) {
        self.next = next
    }

    /// The machine's randomness, evenly distributed.
    public static let system = JitterSource { Double.random(in: 0...1) }
}
