internal import FileSystem
internal import FoundationEssentials
internal import Glibc

/// Reads the metrics of the process from the system. Values that the system hides, as in some sandboxes, are left out.
package struct ProcessCollector: MetricsCollector {
    /// The directory of the proc file system.
    private let proc: String
    /// Lists a directory.
    var list: @Sendable (String) throws(FileSystemError) -> [String] = { path throws(FileSystemError) in
        try Files.list(path)
    }

    package init(proc: String = "/proc") {
        self.proc = proc
    }

    package func families() async -> [MetricFamily] {
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
        MetricFamily(description, value.map { .number($0) })
    }

    /// Does not count the descriptor that lists the others. If none is left to list them with, all are open.
    private var openFiles: Double? {
        do throws(FileSystemError) {
            return Double(max(0, try list("\(proc)/self/fd").count - 1))
        } catch {
            return error.isOutOfDescriptors ? Files.mostOpen : nil
        }
    }

    /// The start of the system in seconds since 1970. Computed once, so that setting the clock does not move the start
    /// of the process, and from clocks, since a sandbox may hide other sources.
    private static let bootTime: Double = {
        let clock = ContinuousClock()
        return Date().timeIntervalSince1970 - clock.systemEpoch.duration(to: clock.now) / .seconds(1)
    }()

    private func text(_ name: String) -> String? {
        (try? Files.read("\(proc)/\(name)")).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// Fields of `/proc/self/stat`, in the units of the system.
struct ProcessStatus: Sendable, Hashable {
    let cpuTicks: Int
    let threads: Int
    /// Since the start of the system.
    let startTicks: Int
    let virtualBytes: Int
    let residentPages: Int

    /// - Returns: nil for a text that is not a line by `proc_pid_stat(5)`.
    init?(_ line: String) {
        // The second field is the program's name in brackets, which may contain brackets and spaces.
        guard let end = line.lastIndex(of: ")") else { return nil }
        let fields = line[line.index(after: end)...].split { $0 == " " || $0 == "\n" }
        /// The field with a number of the manual.
        func field(_ number: Int) -> Int? { fields.indices.contains(number - 3) ? Int(fields[number - 3]) : nil }
        guard let user = field(14), let system = field(15), let threads = field(20), let start = field(22),
            let virtual = field(23), let resident = field(24)
        else { return nil }
        cpuTicks = user + system
        self.threads = threads
        startTicks = start
        virtualBytes = virtual
        residentPages = resident
    }
}

extension MetricDescription {
    /// The families of the process, by the standard names of Prometheus client libraries.
    package static let process = [
        processCPU, processResidentMemory, processVirtualMemory, processOpenFiles, processMaxFiles, processStartTime,
        processThreads,
    ]
    static let processCPU = MetricDescription(
        "process_cpu_seconds", .counter, "CPU time that the process has used, in user and system mode.")
    static let processResidentMemory = MetricDescription(
        "process_resident_memory_bytes", .gauge, "Memory that the process has in RAM.")
    static let processVirtualMemory = MetricDescription(
        "process_virtual_memory_bytes", .gauge, "Size of the address space of the process.")
    static let processOpenFiles = MetricDescription(
        "process_open_fds", .gauge, "File descriptors that the process has open.")
    static let processMaxFiles = MetricDescription(
        "process_max_fds", .gauge, "File descriptors that the process may have open.")
    static let processStartTime = MetricDescription(
        "process_start_time_seconds", .gauge, "When the process was started, in seconds since 1970.")
    static let processThreads = MetricDescription("process_threads", .gauge, "Threads of the process.")
}
