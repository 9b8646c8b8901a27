/// What the sending of some packs tells of the endpoint.
struct DeliveryVerdict: Sendable, Hashable {
    /// Whether some were taken.
    var isDelivered = false
    /// The status by which one was refused.
    var refusal: Int?
    /// Why one failed.
    var failure: String?
    /// How long the endpoint asked to be left alone.
    var wait: Duration = .zero
}
