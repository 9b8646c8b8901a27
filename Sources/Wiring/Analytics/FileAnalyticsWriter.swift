internal import Analytics
internal import Configuration
internal import Logging

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
