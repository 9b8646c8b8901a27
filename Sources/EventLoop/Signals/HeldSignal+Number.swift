internal import Glibc

extension HeldSignal {
    /// The number that the system knows it by.
    public var number: Int32 {
        switch self {
        case .hangUp: SIGHUP
        case .interrupt: SIGINT
        case .terminate: SIGTERM
        }
    }

    /// - Returns: nil for a signal that nobody keeps.
    init?(number: Int32) {
        guard let signal = Self.allCases.first(where: { $0.number == number }) else { return nil }
        self = signal
    }
}
