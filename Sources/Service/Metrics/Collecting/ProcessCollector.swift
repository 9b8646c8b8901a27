internal import FileSystem
internal import FoundationEssentials
internal import Glibc

/// What the system says of the process. What it does not say, as in some sandboxes, is left out.
struct ProcessCollector: MetricsCollector {
    /// Where the system says it.
    var proc = "/proc"
    /// Lists a directory.
    var list: @Sendable (String) throws(FileSystemError) -> [String] = { path throws(FileSystemError) in
        try Files.list(path)
    }

    func families() async -> [MetricFamily] {
        let status = text("self/stat").flatMap(ProcessStatus.init)
        return [
            gauge(.processCPU, status.map { Double($0.cpuTicks) / Self.ticks }),
            gauge(.processResidentMemory, status.map { Double($0.residentPages) * Self.pageSize }),
            gauge(.processVirtualMemory, status.map { Double($0.virtualBytes) }),
            gauge(.processThreads, status.map { Double($0.threads) }),
            gauge(
                .processStartTime, status.map { Self.bootTime + Double($0.startTicks) / Self.ticks }),
            gauge(.processOpenFiles, openFiles),
            gauge(.processMaxFiles, Files.mostOpen),
        ]
    }

    private static let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
    private static let pageSize = Double(sysconf(Int32(_SC_PAGESIZE)))

    private func gauge(_ description: MetricDescription, _ value: Double?) -> MetricFamily {
        MetricFamily(description, value.map { [MetricSeries([:], .number($0))] } ?? [])
    }

    /// Without the one by which they are listed. Where there is none left to list them by, they are all open: it is then
    /// that somebody looks.
    private var openFiles: Double? {
        do throws(FileSystemError) {
            return Double(max(0, try list("\(proc)/self/fd").count - 1))
        } catch {
            return error.isOutOfDescriptors ? Files.mostOpen : nil
        }
    }

    /// When the system was started, in seconds since 1970. It is found out once, since a clock that is set does not
    /// change when the process was started; and by the clocks, since a sandbox may hide what is not of the process.
    private static let bootTime: Double = {
        let clock = ContinuousClock()
        return Date().timeIntervalSince1970 - clock.systemEpoch.duration(to: clock.now) / .seconds(1)
    }()

    private func text(_ name: String) -> String? {
        (try? Files.read("\(proc)/\(name)")).map { String(decoding: $0, as: UTF8.self) }
    }
}
