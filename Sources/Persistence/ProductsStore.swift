public import Products

/// What keeps products over a restart: a saver from which the last saved snapshot can be had again.
///
/// No answer waits for its save. The two ways to save go to one place: what is saved later is what the store gives from
/// then on, before it is on the disk.
public protocol ProductsStore: ProductsProvider, ProductsSaver {
    /// Has the snapshot saved when the saves before it are done, unless a newer one comes meanwhile. Never waits; a
    /// failure is the store's to report.
    func saveLater(_ snapshot: ProductsSnapshot)
}
