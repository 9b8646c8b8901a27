/// A provider that keeps catalogues, and tells which.
///
/// Reading it is for operators and may take a lock; it is never on the path of a request.
public protocol SnapshotKeeping: Sendable {
    /// What is kept at this moment: one for each variant that was asked for and has come.
    var keptSnapshots: [KeptSnapshot] { get }
    /// Why refreshes fail at this moment, for each variant whose refreshes do.
    var troubles: [UpstreamTrouble] { get }
}
