import Fleet

/// One member with what a driver keeps beside the machine.
struct SimulatedMember {
    var machine: FleetMember
    var index: Int
    var incarnation = 0
    /// Counts connections: replies of former ones are lost.
    var connection = 0
    var isLinked = false
    var isCut = false
    var isCutFromUpstream = false
    var isDeaf = false
    var pausedUntil = 0
    /// Events that came while the member was paused.
    var inbox: [FleetMember.Event] = []
    var skew = 0
    /// The error of the clock that dated what is on the disk.
    var datedSkew = 0
    /// When the last command and the last reply of the connection arrive: they keep their order.
    var lastArrival = 0
    var lastReply = 0
    var scheduledWake = Int.max

    /// The catalogue that is given.
    var given: FleetMember.PlacedCatalogue?
    var servesPin = false
    /// The latest catalogue that was given without a pin.
    var floor = 0
    /// The catalogues that the member has whole at the moment: fetched, or examined.
    var fetched: String?
    var examined: String?
    var found: String?
    /// The last one that was given without a pin.
    var kept: String?
    /// All that were fetched since the start.
    var ownFetches: Set<String> = []
    /// The record about pins on the disk.
    var pin: PinRecord?
    /// The revision that the gate lets through by an order.
    var expected: String?
    /// When the upstream was last known to have what is given, by the clock of the simulation.
    var truth = 0
    var foundTruth = 0
    /// The last fetch without a turn, and when it began.
    var alone: (revision: String?, began: Int) = (nil, 0)
    /// Whether another configuration is in force, and the machine of this one has stopped.
    var isAbsent = false

    /// Asks that wait for an answer.
    var asks = 0
    /// Orders to accept that wait for the storage.
    var orders: Set<FleetMember.AskID> = []
    var memoryExpiry = 0
    /// Wakes in a row that were due at once.
    var idleWakes = 0
}

/// The catalogues of the upstream. All their properties derive from a number.
enum SimulatedCatalogue {
    static func revision(_ number: Int) -> String { "r\(number)" }
    static func number(of revision: String) -> Int? {
        guard revision.utf8.first == UInt8(ascii: "r") else { return nil }
        return Int(revision.dropFirst())
    }
    static func blob(_ number: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 4 + number % 3)
        bytes[0] = UInt8(truncatingIfNeeded: number >> 8)
        return bytes
    }
    static func committed(_ number: Int, writer: String) -> CommittedCatalogue {
        CommittedCatalogue(
            revision: revision(number), count: 1, bytes: 4 + number % 3, sha256: "s\(number)", writer: writer)
    }
    static func isRefused(_ number: Int) -> Bool { number % 7 == 3 }
    /// A part of the products, which a gate refuses that knows of the whole.
    static func isPart(_ number: Int) -> Bool { number % 11 == 5 && !isRefused(number) }
    static func isPart(_ revision: String?) -> Bool { revision.flatMap(number).map(isPart) ?? false }
}
