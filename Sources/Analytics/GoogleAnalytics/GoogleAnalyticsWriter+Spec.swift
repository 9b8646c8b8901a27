public import Configuration
internal import Logging
internal import Networking

extension GoogleAnalyticsWriter {
    /// `type: google_analytics` in the `analytics:` section.
    public static let spec = ComponentSpec<SinkFamily>(
        type: "google_analytics",
        summary: "sends events to Google Analytics 4 by the Measurement Protocol",
        fields: [.required("measurement_id", .string, "the stream that counts them: G- and some letters and digits")]
            + FieldSpec.secretOrFile("api_secret", "the stream's secret for the Measurement Protocol") + [
                .defaulted("endpoint", .url, GoogleAnalyticsSettings.endpoint, "where they are sent"),
                .defaulted("timeout", .duration, "5s", "for one request"),
                .optional("client_id", .string, "whom they are counted for; made up at each start where it is absent"),
                .optional(
                    "spool", .path,
                    "a directory where they wait while they cannot be sent, up to 72 hours and over restarts; "
                        + "without it a few wait in memory"),
                .defaulted("spool_size", .size, "64MiB", "how much may wait there"),
            ],
        example: "{ type: google_analytics, measurement_id: G-ABC1234567, api_secret: \"${LARDER_API_SECRET}\" }",
        plan: { reader in
            let settings = GoogleAnalyticsSettings(reader)
            return { assembly in settings.sink(in: assembly) }
        })
}
