@testable import Prometheus
import FileSystem
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite struct ProcessCollectorTests {
    private func exposed(_ collector: ProcessCollector) async throws -> ExposedMetrics {
        try ExposedMetrics(MetricsWriter.text(of: await collector.families()))
    }

    @Test func `the figures of this process are plausible`() async throws {
        let exposed = try await exposed(ProcessCollector())
        #expect(exposed.families.count == 7)
        let now = Date().timeIntervalSince1970
        let start = try #require(exposed.value("process_start_time_seconds"))
        #expect(start < now + 2 && start > now - 86400)
        #expect(try #require(exposed.value("process_cpu_seconds_total")) > 0)
        let resident = try #require(exposed.value("process_resident_memory_bytes"))
        #expect(resident > 1_048_576)
        #expect(try #require(exposed.value("process_virtual_memory_bytes")) > resident)
        let open = try #require(exposed.value("process_open_fds"))
        #expect(open >= 3)
        #expect(try #require(exposed.value("process_max_fds")) >= open)
        #expect(try #require(exposed.value("process_threads")) >= 1)
    }

    @Test func `the name of a program may hold anything`() throws {
        let line = "42 (a) b (c d) S 1 42 42 0 -1 4194560 1 0 2 0 70 30 0 0 20 0 9 0 500 8192 3 18446744073709551615"
        let status = try #require(ProcessStatus(line))
        #expect(status.cpuTicks == 100)
        #expect(status.threads == 9)
        #expect(status.startTicks == 500)
        #expect(status.virtualBytes == 8192)
        #expect(status.residentPages == 3)
    }

    @Test(arguments: ["", "42 (a", "42 (a) S 1 2", "42 (a) \(String(repeating: "x ", count: 40))"])
    func `a malformed status is none`(line: String) {
        #expect(ProcessStatus(line) == nil)
    }

    @Test func `unavailable figures are left out`() async throws {
        let directory = try TemporaryDirectory()
        let limit = ["process_max_fds"]
        #expect(try await exposed(ProcessCollector(proc: directory.path)).families.map(\.name) == limit)
        try Files.createDirectories(directory("self/fd"))
        let exposed = try await exposed(ProcessCollector(proc: directory.path))
        #expect(exposed.families.map(\.name) == ["process_open_fds"] + limit)
        #expect(exposed.value("process_open_fds") == 0)
    }

    @Test func `without a free descriptor the limit counts as open`() async throws {
        var collector = ProcessCollector()
        collector.list = { path throws(FileSystemError) in throw FileSystemError(.list, path: path, code: EMFILE) }
        let exposed = try await exposed(collector)
        #expect(try #require(exposed.value("process_open_fds")) > 0)
        #expect(exposed.value("process_open_fds") == exposed.value("process_max_fds"))
        collector.list = { path throws(FileSystemError) in throw FileSystemError(.list, path: path, code: EACCES) }
        #expect(try await self.exposed(collector)["process_open_fds"] == nil)
    }

    @Test func `the start time needs no file that a sandbox hides, and is stable`() async throws {
        let directory = try TemporaryDirectory()
        try Files.createDirectories(directory("self"))
        let status = try Files.read("/proc/self/stat")
        try Files.replace(directory("self/stat"), with: status, temporary: directory("temporary"))
        let start = try #require(
            try await exposed(ProcessCollector(proc: directory.path)).value("process_start_time_seconds"))
        let text = String(decoding: try Files.read("/proc/stat"), as: UTF8.self)
        let boot = try #require(text.split(separator: "\n").first { $0.hasPrefix("btime ") })
        let ticks = try #require(ProcessStatus(String(decoding: status, as: UTF8.self))).startTicks
        #expect(abs(start - (try #require(Double(boot.dropFirst(6)))) - Double(ticks) / 100) < 3)
        #expect(try await exposed(ProcessCollector()).value("process_start_time_seconds") == start)
    }
}
