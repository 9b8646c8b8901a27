/// Decides what a member of a fleet does next: a state machine that is told the time and what happened.
///
/// It has no clock, no connection and no products of its own, so that fleets can be simulated.
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
        /// Commands and announcements work from now on, or no longer.
        case link(isUp: Bool)
        case announced(Announcement)
        case reply(CommandID, StorageReply)
        case failed(CommandID, StorageFault)
        /// A request waits for a catalogue newer than the served one, or for the answer that there is none.
        ///
        /// - isAnew: whether only a refresh will do that begins after this.
        case asked(AskID, isForced: Bool, isAnew: Bool = false)
        /// The upstream has answered.
        case fetched(FetchID, FetchOutcome)
        /// The blob of a pointer was examined.
        case examined(sha256: String, Examination)
        /// An operator's order at this member, or one that it kept from before its start.
        case pinned(PinRecord)
        /// The member has a catalogue from before its start. It counts once `adopt` says so.
        ///
        /// A pinned one is given at once.
        case found(PlacedCatalogue)
        /// Whether a catalogue may take the place of the one that was named with it.
        case weighed(FetchID, Weight)
        /// The time of `nextWake` has come.
        case wake
    }

    package enum FetchOutcome: Sendable, Hashable {
        /// The upstream's catalogue, which has passed the gate. Its blob can be written.
        case catalogue(CommittedCatalogue)
        /// The blob would be too long for the storage: the catalogue is the member's own.
        case tooLarge(revision: String)
        case failed(ReleaseCause)
    }

    package enum Examination: Sendable, Hashable {
        case good
        /// The bytes are not those of the pointer.
        case damaged
        /// The member's own gate refuses the products.
        case refused
    }

    /// The decision of the member's own gate about a catalogue beside that of the storage.
    package enum Weight: Sendable, Hashable {
        /// It may take the place of the other one, or there is no other one to compare it with.
        case passes
        case refused
        /// The storage gave no reply.
        case unknown
    }

    /// The catalogue that a member holds whole.
    package struct PlacedCatalogue: Sendable, Hashable {
        package var revision: String
        /// See ``CataloguePointer/startedAt``; 0 where that is not known, which is before all others. That of a catalogue
        /// fetched alone before the storage's clock was known is by the member's own, and put right when it is.
        package var startedAt: Int
        /// When the refresh that brought it began, by the time of events, if the storage's clock was not known then. Before the
        /// start of the member it is negative. `startedAt` follows from it as soon as that clock is known.
        package var begun: Duration?
        /// Whether it may be the catalogue of another configuration. It never goes into the storage.
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
        /// Ask the upstream and report the outcome; nil where the storage is away and the member asks alone.
        case fetch(FetchID, Claim?)
        /// Check length and hash of a blob, decode it, and pass it through the gate.
        case examine(CataloguePointer, [UInt8])
        /// Give this catalogue from now on: the examined one, the fetched one, the found one, or, where the revision is
        /// the same, the one that is given.
        case adopt(PlacedCatalogue, CataloguePointer?, isPinned: Bool)
        /// Keep this catalogue, which was fetched or found, as the newest. What is given stays: it is pinned.
        case keep(PlacedCatalogue, CataloguePointer?)
        /// The fleet has refreshed and what is given stays: the upstream confirmed it, or it is pinned.
        case confirm(CataloguePointer)
        /// Prepare the blob of a catalogue that the member has whole and report it as fetched, without asking the upstream.
        case encode(FetchID, revision: String)
        /// Compare a catalogue that was fetched, or is served, with that of a pointer, and report the gate's decision.
        case weigh(FetchID, revision: String, against: CataloguePointer)
        /// An operator lets this revision through the gates of the fleet once; nil when that is over.
        case accept(revision: String?)
        case answer(AskID, AskOutcome)
        case note(FleetNote)
    }

    package enum AskOutcome: Sendable, Hashable {
        /// No newer catalogue can be had than the one that the member holds.
        case served
        /// The fleet or this member pauses after failures; carries the time until another try makes sense, and the failure
        /// of another member, if that is the cause.
        case paused(Duration, SeenFailure? = nil)
        /// The upstream failed for this member; the failure is known where it was fetched.
        case failed
        /// The storage is away, and the member may not ask alone.
        case unavailable
    }

    package let settings: Settings
    /// The catalogue that is given. Only a pin sets its time back: what was given before the pin is gone.
    package internal(set) var served: PlacedCatalogue?
    /// The newest catalogue that the member has whole beside a pinned one.
    package internal(set) var whole: PlacedCatalogue?
    /// Whether what is given is given because of a pin.
    package internal(set) var servesPin = false
    /// The pointer of the storage as it was seen last.
    package internal(set) var pointer: CataloguePointer?
    package internal(set) var pin: PinRecord?
    package internal(set) var isLinked = false
    /// The revision that a gate of the fleet refused last.
    package internal(set) var refused: String?
    /// The members that listened to the last announcement; 0 where that is not known.
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
    /// The outcome of a commit: `committed`, `refilled`, `confirmed`, `fenced`, `missing`, `too_large`, `failed`, or `late`,
    /// which is fenced after the end of the own turn.
    case commit(String)
    /// The outcome of reading a blob: `adopted`, `missing`, `damaged`, `too_large`, `refused`, `failed`.
    case read(String)
    /// The storage has lost what it had: it is empty, or older than what the member has seen.
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
