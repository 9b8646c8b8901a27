internal import HTTPServer
internal import Prometheus

/// This program's version.
package enum LarderVersion {
    package static let current = "0.1.0"
}

/// Exposes the versions of the program and of its parts.
package struct BuildCollector: MetricsCollector {
    package init() {}

    func families() async -> [MetricFamily] {
        let versions = MetricSeries(
            [
                "version": LarderVersion.current, "swift": SwiftVersion.current,
                "libevent": HTTPServer.libeventVersion,
            ], .count(1))
        return [MetricFamily(.build, [versions])]
    }
}

/// The compiler that made the program, as far as a program can know.
enum SwiftVersion {
    #if compiler(>=6.5)
        static let current = "6.5 or later"
    #elseif compiler(>=6.4)
        static let current = "6.4"
    #elseif compiler(>=6.3.1)
        static let current = "6.3.1"
    #else
        static let current = "6.3"
    #endif
}
