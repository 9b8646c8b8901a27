/// The process, by the names that all exporters use.
extension MetricDescription {
    static let build = MetricDescription(
        "larder_build", .info,
        "The versions of the program, of the compiler that made it, and of the libevent it runs on.")
    static let configLastReloadSuccessful = MetricDescription(
        "larder_config_last_reload_successful", .gauge,
        "Whether the last attempt to load the config succeeded; after a failure the config before stays in force.")
    static let configLastReloadSuccess = MetricDescription(
        "larder_config_last_reload_success_timestamp_seconds", .gauge,
        "When the config in force was loaded, in seconds since 1970.")
    static let config = MetricDescription(
        "larder_config", .info, "The SHA-256 of the config file in force, without the variables and files it names.")
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
