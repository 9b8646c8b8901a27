internal import Configuration
internal import Logging
internal import Networking

/// What the config says of a `google_analytics` sink, and how that becomes a sink.
struct GoogleAnalyticsSettings: Sendable {
    static let endpoint = "https://www.google-analytics.com/mp/collect"
    /// How long the task that delivers late events may take to put back what it is at.
    private static let closingDeadline: Duration = .milliseconds(500)

    private let name: String
    private let measurementID: String
    private let secret: @Sendable (Assembly) -> Credential
    private let endpoint: String
    private let timeout: Duration
    private let clientID: String?
    private let spool: String?
    private let spoolSize: Int

    init(_ reader: FieldReader) {
        name = reader.name
        measurementID = reader.string("measurement_id")
        secret = reader.credential("api_secret")
        endpoint = reader.sendableURL("endpoint", advice: "the secret alone is sent")
        timeout = reader.duration("timeout", in: .milliseconds(1)...)
        clientID = reader.optionalString("client_id")
        spool = reader.optionalPath("spool")
        spoolSize = reader.size("spool_size", in: (1 << 20)...)
        check(reader)
    }

    private func check(_ reader: FieldReader) {
        let isID = measurementID.hasPrefix("G-") && measurementID.count > 2
        if !isID || !measurementID.dropFirst(2).utf8.allSatisfy(Self.isLetterOrDigit) {
            reader.report(.error, at: "measurement_id", "a measurement id is G- and then capital letters and digits")
        }
        if endpoint.contains(where: { $0 == "?" || $0 == "#" }) {
            reader.report(.error, at: "endpoint", "\"endpoint\" has a query or fragment")
        }
        if let clientID, !(1...100).contains(clientID.count) || !clientID.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) {
            reader.report(.error, at: "client_id", "a client id is 1 to 100 visible ASCII characters")
        }
        if spool == nil, reader.has("spool_size") {
            reader.report(.warning, at: "spool_size", "without a \"spool\" nothing has this size")
        }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// A sink that sends what it is given, and is closed with the service. What waits in the spool is anybody's, and so
    /// is not touched before the sink is in use: that it is made may be for a look only.
    func sink(in assembly: Assembly) -> any AnalyticsSink {
        let tally: AnalyticsTally = assembly.state { $0 ?? AnalyticsTally() }
        let environment = assembly.optionalResource(AnalyticsEnvironment.self) ?? AnalyticsEnvironment()
        let delivery = delivery(in: assembly, environment, tally)
        let writer = GoogleAnalyticsWriter(
            clientID: clientID ?? GoogleAnalyticsClientID.ofThisProcess, delivery: delivery, tally: tally)
        let logger = assembly.resource(Logger.self)
        let sink = QueuedAnalyticsSink(name: name, writer: writer, tally: tally, logger: logger)
        sink.start()
        assembly.background("delivery of sink \(name)") { delivery.start() }
        assembly.onShutdown("sink \(name)") {
            await sink.close(within: SinkFamily.closingDeadline, clock: environment.clock)
            await delivery.close(within: Self.closingDeadline)
        }
        return sink
    }

    private func delivery(
        in assembly: Assembly, _ environment: AnalyticsEnvironment, _ tally: AnalyticsTally
    ) -> GoogleAnalyticsDelivery {
        let endpoint = GoogleAnalyticsEndpoint(
            client: assembly.resource(HTTPClient.self), url: endpoint, measurementID: measurementID,
            secret: secret(assembly), timeout: timeout)
        return GoogleAnalyticsDelivery(
            endpoint: endpoint, backlog: backlog(tally), tally: tally,
            state: DeliveryState(name: name, logger: assembly.resource(Logger.self)),
            environment: environment)
    }

    /// By stream, so that what waits for one is never sent to another when the config changes.
    private func backlog(_ tally: AnalyticsTally) -> any EventBacklog {
        guard let spool else { return MemoryEventBacklog(tally: tally) }
        return SpooledEventBacklog(directory: "\(spool)/\(measurementID)", limit: spoolSize, tally: tally)
    }
}
