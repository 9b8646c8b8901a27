/// What of `/proc/self/stat` is exposed, in the units of the system.
struct ProcessStatus: Sendable, Hashable {
    let cpuTicks: Int
    let threads: Int
    /// Since the start of the system.
    let startTicks: Int
    let virtualBytes: Int
    let residentPages: Int

    /// - Parameter line: as the system writes it; see `proc_pid_stat(5)`.
    /// - Returns: nil for any other text.
    init?(_ line: String) {
        // The second field is the name of the program in brackets, which may hold brackets and spaces itself.
        guard let end = line.lastIndex(of: ")") else { return nil }
        let fields = line[line.index(after: end)...].split { $0 == " " || $0 == "\n" }
        /// By its number in the manual.
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
