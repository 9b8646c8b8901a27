internal import HTTPServer

/// Which program it is.
struct BuildCollector: MetricsCollector {
    func families() async -> [MetricFamily] {
        let versions = MetricSeries(
            [
                "version": LarderVersion.current, "swift": SwiftVersion.current,
                "libevent": HTTPServer.libeventVersion,
            ], .count(1))
        return [MetricFamily(.build, [versions])]
    }
}
