/// Sends events to Google Analytics 4 by the Measurement Protocol.
///
/// Nothing but the event goes there: its name, its time and its parameters, and a client id. The protocol wants one,
/// and a server has no visitors to tell apart, so all events are counted for one client, which is the sink. Only an
/// event that has a subject (the exposures of `ab_test`, by a pseudonym) is counted for a client of its own.
public struct GoogleAnalyticsWriter: AnalyticsWriter, BacklogReporting {
    private let clientID: String
    private let delivery: GoogleAnalyticsDelivery
    private let tally: AnalyticsTally

    init(clientID: String, delivery: GoogleAnalyticsDelivery, tally: AnalyticsTally) {
        self.clientID = clientID
        self.delivery = delivery
        self.tally = tally
    }

    /// How many bytes wait for another try.
    var backlogBytes: Int { delivery.backlogBytes }

    /// Delivers the events or puts them aside for later, which both is no failure.
    public func write(_ batch: [AnalyticsEvent]) async {
        let events = batch.compactMap { GoogleAnalyticsEvent($0, clientID: clientID) }
        tally.noteDropped(batch.count - events.count, .invalid)
        await delivery.take(events)
    }
}
