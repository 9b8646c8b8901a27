extension MetricDescription {
    /// Everything that the service itself exposes.
    static let known: [MetricDescription] = [
        httpRequests, httpRequestDuration, httpConnections, httpRejected, tlsCertificateNotAfter, answers, ready,
        snapshotAge, snapshotLastSuccess, snapshotExpiry, snapshotProducts, snapshotInfo, memory, refreshes, refused,
        upstreamRequests, upstreamRequestDuration, breakerState, reachable, storeGenerations, storeFailures,
        storeSaving, analyticsEvents, analyticsDropped, analyticsQueued, analyticsBacklogBytes, logDropped, build,
        configLastReloadSuccessful, configLastReloadSuccess, config, processCPU, processResidentMemory,
        processVirtualMemory, processOpenFiles, processMaxFiles, processStartTime, processThreads,
    ]

    private static let byName = Dictionary(uniqueKeysWithValues: known.map { ($0.name, $0) })

    /// The description of a family that is recorded. Of what a library records nothing is known but its name.
    static func named(_ name: String, _ kind: MetricKind) -> MetricDescription {
        if let known = byName[name], known.kind == kind { return known }
        return MetricDescription(name, kind, "Recorded by a library that the service uses.")
    }
}

extension HistogramBuckets {
    /// The buckets of the family with this name.
    static func of(_ family: String) -> HistogramBuckets {
        family == MetricDescription.httpRequestDuration.name ? answers : exchanges
    }
}
