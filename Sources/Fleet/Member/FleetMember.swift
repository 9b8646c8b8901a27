/// Decides what a member of a fleet does next: a state machine over events with their times.
///
/// It has no clock, connection or products, so that fleets can be simulated.
package struct FleetMember: Sendable {
    /// The configuration of a member.
    package struct Settings: Sendable {
        package enum Unavailability: String, Sendable, CaseIterable {
            case refreshAlone = "refresh_alone"
            case hold
        }

        /// The name of the member, different from all others.
        package var name: String
        package var turnLength = Duration.seconds(30)
        package var poll = Duration.seconds(10)
        /// The time limit of a command without a blob.
        package var commandLimit = Duration.seconds(1)
        package var blobLimit = Duration.seconds(5)
        /// The length of the longest blob that is written or read.
        package var maxBytes = 64 << 20
        package var whenUnavailable = Unavailability.refreshAlone
        /// The member's own clock at the time zero of events, in milliseconds since 1970.
        package var wallClock = 0
        /// The seed of its random numbers and nonces, a new one at each start.
        package var seed: UInt64

        package init(name: String, seed: UInt64) {
            (self.name, self.seed) = (name, seed)
        }
    }

    package typealias CommandID = Int
    package typealias AskID = Int
    package typealias FetchID = Int

    package enum Event: Sendable {
        /// The connection is up or down.
        case link(isUp: Bool)
        case announced(Announcement)
        case reply(CommandID, StorageReply)
        case failed(CommandID, StorageFault)
        /// A request waits for a catalogue newer than the served one, or for the answer that there is none.
        ///
        /// - isAnew: whether only a refresh that begins after this is an answer.
        case asked(AskID, isForced: Bool, isAnew: Bool = false)
        /// The upstream has answered.
        case fetched(FetchID, FetchOutcome)
        /// The blob of a pointer was examined.
        case examined(sha256: String, Examination)
        /// An operator's order at this member, or the one on its disk.
        case pinned(PinRecord)
        /// An operator's order at this member to let a revision through the gates of the fleet.
        case accepting(AskID, revision: String)
        /// The member has a catalogue from before its start. It counts from its `adopt` or `keep` on.
        case found(PlacedCatalogue)
        /// The gate has compared a catalogue with the storage's.
        case weighed(FetchID, Weight)
        /// The time of `nextWake` has come.
        case wake
    }

    package enum FetchOutcome: Sendable, Hashable {
        /// The upstream's catalogue, which has passed the gate.
        case catalogue(CommittedCatalogue)
        /// The blob would be too long for the storage.
        case tooLarge(revision: String)
        case failed(ReleaseCause)
    }

    package enum Examination: Sendable, Hashable {
        case good
        /// The bytes do not match the pointer.
        case damaged
        /// The member's own gate refuses the products.
        case refused
    }

    /// The decision of the member's own gate about a catalogue in place of the storage's.
    package enum Weight: Sendable, Hashable {
        /// It may take its place, or there is nothing to compare it with.
        case passes
        case refused
        /// The storage gave no reply.
        case unknown
    }

    /// A catalogue that the member has whole, with its place in the order of the fleet.
    package struct PlacedCatalogue: Sendable, Hashable {
        package var revision: String
        /// See ``CataloguePointer/startedAt``; 0 if unknown, which is before all others. A catalogue fetched alone
        /// before the storage's clock was known has a time by the member's own, which is corrected later.
        package var startedAt: Int
        /// When its refresh began, by the time of events, if the storage's clock was not known then; negative before
        /// the start of the member. `startedAt` follows from it once that clock is known.
        package var begun: Duration?
        /// Whether it may be of another configuration. Such a catalogue never goes into the storage.
        package var isForeign: Bool
        /// See ``CataloguePointer/isAccepted``.
        package var isAccepted: Bool

        package init(
            revision: String, startedAt: Int, begun: Duration? = nil, isForeign: Bool = false, isAccepted: Bool = false
        ) {
            (self.revision, self.startedAt, self.begun) = (revision, startedAt, begun)
            (self.isForeign, self.isAccepted) = (isForeign, isAccepted)
        }
    }

    package enum Effect: Sendable {
        case send(CommandID, StorageCommand, within: Duration)
        /// Ask the upstream and report the outcome; without a claim the member asks alone.
        case fetch(FetchID, Claim?)
        /// Check length and hash of a blob, decode it, and pass it through the gate.
        case examine(CataloguePointer, [UInt8])
        /// Serve this catalogue from now on.
        case adopt(PlacedCatalogue, CataloguePointer?, isPinned: Bool)
        /// Keep this catalogue, which was fetched or found, as the newest behind a pin.
        case keep(PlacedCatalogue, CataloguePointer?)
        /// The fleet has refreshed, and the served catalogue stays: it was confirmed, or is pinned.
        case confirm(CataloguePointer)
        /// Prepare the blob of a catalogue that the member has whole, and report it as fetched.
        case encode(FetchID, revision: String)
        /// Compare an own catalogue with a pointer's, and report the gate's decision.
        case weigh(FetchID, revision: String, against: CataloguePointer)
        /// Let this revision through the gates once, by an operator's order; nil when the order is over.
        case accept(revision: String?)
        case answer(AskID, AskOutcome)
        /// The end of an order to accept: the storage has it, or a fault.
        case carriedOut(AskID, StorageFault?)
        case note(FleetNote)
    }

    package enum AskOutcome: Sendable, Hashable {
        /// The member has the newest catalogue that can be had.
        case served
        /// The fleet or this member pauses after failures. Carries the time that is left, and the failure of another
        /// member if that is the cause.
        case paused(Duration, SeenFailure? = nil)
        /// The upstream failed for this member.
        case failed
        /// The storage is away, and the member may not ask alone.
        case unavailable
    }

    package let settings: Settings
    /// The catalogue that is served. Only a pin sets its time back.
    package internal(set) var served: PlacedCatalogue?
    /// The newest catalogue that the member has whole, apart from a pinned one.
    package internal(set) var whole: PlacedCatalogue?
    /// Whether the served catalogue is served for a pin.
    package internal(set) var servesPin = false
    /// The pointer that was last read from the storage, or announced.
    package internal(set) var pointer: CataloguePointer?
    package internal(set) var pin: PinRecord?
    package internal(set) var isLinked = false
    /// The revision that a gate of the fleet refused last.
    package internal(set) var refused: String?
    /// The members that received the last announcement; 0 if unknown.
    package internal(set) var listeners = 0

    var now = Duration.zero
    var begin: Duration?
    var effects: [Effect] = []
    var random: UInt64
    var lastNumber = 0
    var pending: [CommandID: Sent] = [:]
    var follower = Follower()
    var turns = Turns()
    var repair = Repair()

    package init(settings: Settings) {
        (self.settings, random) = (settings, settings.seed)
    }
}

/// An occurrence at a member, for metrics and logs.
package enum FleetNote: Sendable, Hashable {
    /// The outcome of a commit: `committed`, `refilled`, `confirmed`, `fenced`, `late` (fenced after the end of the own
    /// turn), `missing`, `too_large`, `failed`.
    case commit(String)
    /// The outcome of reading a blob: `adopted`, `missing`, `damaged`, `too_large`, `refused`, `failed`.
    case read(String)
    /// The storage is empty, or older than before.
    case lost
}

extension FleetMember.FetchOutcome {
    /// Returns the outcome with the statements of the upstream.
    func with(_ source: PointerSource?) -> Self {
        guard case .catalogue(var catalogue) = self else { return self }
        catalogue.source = source
        return .catalogue(catalogue)
    }
}
