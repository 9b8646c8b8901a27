internal import Analytics
internal import Configuration
internal import Logging
internal import Networking

extension GoogleAnalyticsWriter {
    static let spec = ComponentSpec<SinkFamily>(
        type: "google_analytics",
        summary: "sends events to Google Analytics 4 by the Measurement Protocol",
        fields: [.required("measurement_id", .string, "the stream that counts them: G- and some letters and digits")]
            + FieldSpec.secretOrFile("api_secret", "the stream's secret for the Measurement Protocol") + [
                .defaulted("endpoint", .url, "https://www.google-analytics.com/mp/collect", "where they are sent"),
                .defaulted("timeout", .duration, "5s", "for one request"),
                .optional("client_id", .string, "whom they are counted for; made up at each start where it is absent"),
                .optional(
                    "spool", .path,
                    "a directory where they wait while they cannot be sent, up to 72 hours and over restarts; "
                        + "without it they wait in memory, where a batch is tried for some 40 minutes and then "
                        + "dropped and counted"),
                .defaulted("spool_size", .size, "64MiB", "how much may wait there"),
            ],
        example: "{ type: google_analytics, measurement_id: G-ABC1234567, api_secret: \"${LARDER_API_SECRET}\" }",
        plan: { reader in
            let (name, measurementID) = (reader.name, reader.string("measurement_id"))
            let secret = reader.credential("api_secret")
            let url = reader.sendableURL("endpoint", advice: "the secret alone is sent")
            let timeout = reader.duration("timeout", in: .milliseconds(1)...)
            let clientID = reader.optionalString("client_id")
            let spool = reader.optionalPath("spool")
            let spoolSize = reader.size("spool_size", in: (1 << 20)...)
            if measurementID.wholeMatch(of: /G-[A-Z0-9]+/) == nil {
                let problem = "a measurement id is G- and then capital letters and digits"
                reader.report(.error, at: "measurement_id", problem)
            }
            if url.contains(where: { $0 == "?" || $0 == "#" }) {
                reader.report(.error, at: "endpoint", "\"endpoint\" has a query or fragment")
            }
            if let clientID, clientID.wholeMatch(of: /[!-~]{1,100}/) == nil {
                reader.report(.error, at: "client_id", "a client id is 1 to 100 visible ASCII characters")
            }
            if spool == nil, reader.has("spool_size") {
                reader.report(.warning, at: "spool_size", "without a \"spool\" nothing has this size")
            }
            return { assembly in
                var logger = assembly.resource(Logger.self)
                logger[metadataKey: "sink"] = "\(name)"
                let endpoint = GoogleAnalyticsEndpoint(
                    client: assembly.resource(HTTPClient.self), url: url, measurementID: measurementID,
                    secret: secret(assembly), timeout: timeout)
                return assembly.startedSink(name) { [logger] tally in
                    let writer = GoogleAnalyticsWriter(
                        endpoint: endpoint, clientID: clientID, spool: spool, spoolSize: spoolSize, tally: tally,
                        logger: logger, environment: assembly.analyticsEnvironment)
                    // Not earlier: a graph may be made for a look only.
                    assembly.background("delivery of sink \(name)") { writer.start() }
                    return writer
                } closing: {
                    await $0.close(within: .milliseconds(500))
                }
            }
        })
}
