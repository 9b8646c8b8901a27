/// A request of a member to the shared storage. Each command is carried out whole or not at all.
package enum StorageCommand: Sendable, Hashable {
    case read
    case acquire(TurnRequest)
    /// Makes a written blob the catalogue of the fleet, and announces it.
    case commit(Claim, CommittedCatalogue)
    /// States that the upstream still has the products of this revision, with its statements.
    case confirm(Claim, revision: String, source: PointerSource? = nil)
    /// Prolongs a turn whose refresh goes on.
    case renew(Claim, milliseconds: Int)
    /// Gives the turn back, with the failure of the upstream.
    case release(nonce: String, ReleaseCause, seen: SeenFailure? = nil)
    /// Reads at most one byte more than `bytes`.
    case readBlob(sha256: String, bytes: Int)
    /// Writes the blob of a catalogue that the member has.
    case writeBlob(sha256: String)
    /// Keeps a record about pins unless there is one with a higher version, and announces it.
    case pin(PinRecord)
    /// Lets a revision through the gates of all members once, in place of the current one, and announces it.
    case accept(revision: String, replacing: String?)
    /// Announces that the blob of a pointer is damaged or missing.
    case reportDamage(sha256: String)
}

/// Asks for the turn of the fleet to refresh.
package struct TurnRequest: Sendable, Hashable {
    package enum Purpose: String, Sendable { case refresh, refill }

    package var nonce: String
    package var member: String
    package var milliseconds: Int
    package var purpose: Purpose
    /// The highest epoch that the member has seen: the next is higher, also where the storage has lost its own.
    package var seenEpoch: Int
    /// `startedAt` of the newest catalogue that does not suffice; 0 without one.
    package var knownStartedAt: Int
    /// Whether the pause after failures is ignored.
    package var isForced: Bool

    package init(
        nonce: String, member: String, milliseconds: Int, purpose: Purpose, seenEpoch: Int, knownStartedAt: Int,
        isForced: Bool
    ) {
        (self.nonce, self.member, self.milliseconds, self.purpose) = (nonce, member, milliseconds, purpose)
        (self.seenEpoch, self.knownStartedAt, self.isForced) = (seenEpoch, knownStartedAt, isForced)
    }
}

/// The proof of a turn.
package struct Claim: Sendable, Hashable {
    package var nonce: String
    package var epoch: Int
    package var startedAt: Int

    package init(nonce: String, epoch: Int, startedAt: Int) {
        (self.nonce, self.epoch, self.startedAt) = (nonce, epoch, startedAt)
    }
}

/// The part of a pointer that the writer determines.
package struct CommittedCatalogue: Sendable, Hashable {
    package var revision: String
    package var count: Int
    package var bytes: Int
    package var sha256: String
    package var writer: String
    package var source: PointerSource?
    /// Whether an operator has let it through before.
    package var isAccepted = false

    package init(
        revision: String, count: Int, bytes: Int, sha256: String, writer: String, source: PointerSource? = nil
    ) {
        (self.revision, self.count, self.bytes) = (revision, count, bytes)
        (self.sha256, self.writer, self.source) = (sha256, writer, source)
    }
}

/// Why a turn ends without a catalogue.
package enum ReleaseCause: Sendable, Hashable {
    /// Nothing was tried.
    case unused
    /// The upstream failed, or the gate refused its catalogue. It would fail for every member, so all pause. Carries
    /// the refused revision.
    case failed(refused: String?)
    /// The member cannot reach the upstream: another member tries.
    case unreachable
}

/// A failure of the upstream at the member that had the turn.
package struct SeenFailure: Sendable, Hashable {
    /// The token of the failure.
    package var reason: String
    /// The text of the failure, truncated.
    package var detail: String
    /// The name of the member.
    package var member: String

    package init(reason: String, detail: String, member: String) {
        (self.reason, self.detail, self.member) = (reason, detail, member)
    }
}

/// A reply of the storage, with its contents if the command read them.
package enum StorageReply: Sendable, Hashable {
    case contents(StorageContents)
    case granted(Claim, milliseconds: Int, StorageContents)
    /// The storage has a newer catalogue: no refresh is due.
    case newer(StorageContents)
    /// Another member has the turn, for this time at most.
    case taken(milliseconds: Int)
    /// The fleet pauses after failures. Carries the last one.
    case paused(milliseconds: Int, failures: Int, seen: SeenFailure? = nil)
    case committed(CataloguePointer)
    /// The turn was lost, the catalogue is not newer than the storage's, or the storage's is not the one to be
    /// replaced.
    case fenced
    /// The blob is missing or has another length: it has to be written again.
    case missing
    /// nil for a blob that is missing.
    case blob([UInt8]?)
    case done
}

/// The contents of the storage beside blobs.
package struct StorageContents: Sendable, Hashable {
    package var pointer: CataloguePointer?
    package var pin: PinRecord?
    package var epoch: Int
    /// The revision that a gate of the fleet refused last; nil when the last refresh passed.
    package var refused: String?
    /// The revision that an operator lets through; nil without one.
    package var accepted: String?
    /// The failures in a row.
    package var failures: Int
    /// The time by the storage's clock.
    package var now: Int

    package init(
        pointer: CataloguePointer? = nil, pin: PinRecord? = nil, epoch: Int = 0, refused: String? = nil,
        accepted: String? = nil, failures: Int = 0, now: Int = 0
    ) {
        (self.pointer, self.pin, self.epoch) = (pointer, pin, epoch)
        (self.refused, self.accepted, self.failures, self.now) = (refused, accepted, failures, now)
    }
}

/// A message to all members. It may be lost, or come twice: the truth is in the storage.
package enum Announcement: Sendable, Hashable {
    /// A catalogue was committed or confirmed; `listeners` is the number of members that get the message.
    case pointer(CataloguePointer, listeners: Int)
    /// A pin, an accepted revision or the end of a turn is in the storage.
    case look
    case damaged(sha256: String)
}

/// Why a command has no reply.
package enum StorageFault: Error, Hashable {
    /// The storage does not answer.
    case silent
    /// It refuses to write: its memory is full, or it is a replica. Reading goes on.
    case readOnly
    /// It refuses for a reason that only an operator can remove, such as a missing permission.
    case refused(String)
}
