internal import EventLoop
internal import FileSystem

/// How many cores this process may really use: by affinity, and by the quota of its control group, which a container's
/// CPU limit becomes.
public enum UsableCores {
    private static let quotaFile = "/sys/fs/cgroup/cpu.max"

    /// At least one.
    public static func count() -> Int {
        let text = (try? Files.read(quotaFile)).map { String(decoding: $0, as: UTF8.self) }
        return count(affinity: CPUAffinity.count, quota: text)
    }

    /// - Parameter quota: what `cpu.max` holds: the quota and the period in microseconds, or `max` for no quota.
    static func count(affinity: Int, quota: String?) -> Int {
        let parts = quota?.split(whereSeparator: \.isWhitespace).map { Double($0) } ?? []
        guard parts.count == 2, let microseconds = parts[0], let period = parts[1], period > 0 else {
            return max(1, affinity)
        }
        return max(1, min(affinity, Int((microseconds / period).rounded(.up))))
    }
}
