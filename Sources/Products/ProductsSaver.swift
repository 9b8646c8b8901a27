/// Where products can be kept for the days when their source is away.
///
/// A saver either keeps the whole snapshot or throws and keeps what it had; it never keeps half of one.
public protocol ProductsSaver: Sendable {
    /// Keeps the snapshot, replacing what was kept before once it is safe.
    func save(_ snapshot: ProductsSnapshot) async throws
}
