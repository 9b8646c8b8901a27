internal import Analytics
internal import Configuration
internal import Logging
internal import Networking

extension FileAnalyticsWriter {
    static let spec = ComponentSpec<SinkFamily>(
        type: "file",
        summary: "appends one JSON object a line to a file that is rotated by size",
        fields: [
            .required("path", .path, "the file; its directory is made when missing"),
            .defaulted("rotate_at", .size, "64MiB", "the size from which the file is moved aside"),
            .defaulted("keep", .integer, "3", "how many rotated files stay"),
        ],
        example: "{ type: file, path: /var/lib/larder/events.jsonl, rotate_at: 64MiB, keep: 3 }",
        facts: [DataPlace(field: "path", isFile: true)],
        plan: { reader in
            let path = reader.path("path")
            let rotateAt = reader.size("rotate_at", in: 1...)
            let keep = reader.integer("keep", in: 0...FileAnalyticsWriter.largestKeep)
            let name = reader.name
            return { assembly in
                var logger = assembly.resource(Logger.self)
                logger[metadataKey: "sink"] = "\(name)"
                return assembly.startedSink(name) { [logger] tally in
                    FileAnalyticsWriter(path: path, rotateAt: rotateAt, keep: keep, tally: tally, logger: logger)
                }
            }
        })
}

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
            ] + ConfiguredConnection.fields,
        example: "{ type: google_analytics, measurement_id: G-ABC1234567, api_secret: \"${LARDER_API_SECRET}\" }",
        facts: [DataPlace(field: "spool")],
        plan: { reader in
            let (name, measurementID) = (reader.name, reader.string("measurement_id"))
            let secret = reader.credential("api_secret")
            let url = reader.sendableURL("endpoint", advice: "the secret alone is sent")
            let connection = ConfiguredConnection(reader, url: url, from: "endpoint")
            let timeout = reader.duration("timeout", in: .milliseconds(1)...)
            let clientID = reader.optionalString("client_id")
            let spool = reader.optionalPath("spool")
            let spoolSize = reader.size("spool_size", in: (1 << 20)...)
            if measurementID.wholeMatch(of: /G-[A-Z0-9]+/) == nil {
                let problem = "a measurement id is G- followed by capital letters and digits"
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
                    client: connection.client(in: assembly), url: url, measurementID: measurementID,
                    secret: secret(assembly), timeout: timeout)
                return assembly.startedSink(name) { [logger] tally in
                    let writer = GoogleAnalyticsWriter(
                        endpoint: endpoint, clientID: clientID, spool: spool, spoolSize: spoolSize, tally: tally,
                        logger: logger, environment: assembly.analyticsEnvironment)
                    // Not earlier: a graph may be made only to be shown.
                    assembly.background("delivery of sink \(name)") { writer.start() }
                    return writer
                } closing: {
                    await $0.close(within: .milliseconds(500))
                }
            }
        })
}

extension LogAnalyticsWriter {
    static let spec = ComponentSpec<SinkFamily>(
        type: "log",
        summary: "writes events into the service's own log",
        fields: [],
        example: "{ type: log }",
        plan: { reader in
            let name = reader.name
            return { assembly in
                let logger = assembly.resource(Logger.self)
                return assembly.startedSink(name) { LogAnalyticsWriter(logger: logger, tally: $0) }
            }
        })
}
