public import FoundationEssentials
public import JSON

/// Something that happened and is worth counting, such as `products_network_hit`.
public struct AnalyticsEvent: Sendable, Hashable {
    /// The event's name as the config file spells it.
    public var name: String
    /// When it happened, by the wall clock.
    public var timestamp: Date
    /// What the config file adds to every event of this name, in its order.
    public var parameters: JSONObject
    /// Whom it is about, by a pseudonym; nil where it is about nobody in particular.
    public var subject: String?

    /// Makes an event.
    public init(name: String, timestamp: Date, parameters: JSONObject = JSONObject(), subject: String? = nil) {
        self.name = name
        self.timestamp = timestamp
        self.parameters = parameters
        self.subject = subject
    }
}
