import Testing

@testable import Text

struct DurationTextTests {
    @Test(arguments: [
        ("0", Duration.zero), ("0s", .zero), ("250ms", .milliseconds(250)), ("5s", .seconds(5)),
        ("2m", .seconds(120)), ("3h", .seconds(10_800)), ("7d", .seconds(604_800)), ("1m30s", .seconds(90)),
        ("1d2h3m4s5ms", .milliseconds(93_784_005)), ("1h1ms", .milliseconds(3_600_001)),
    ])
    func `durations are read`(_ text: String, _ duration: Duration) {
        #expect(DurationText.parse(text) == duration)
    }

    @Test(arguments: [
        "", "5", "s", "5 s", "5 sec", "-5s", "+5s", "1.5s", "5S", "30s1m", "1m1m", "1ms1s", "5sx", "٥s", "1w",
        "5m ",
        "9223372036854775807d", "99999999999999999999s", "9223372036854775807ms1ms",
    ])
    func `what is no duration is refused`(_ text: String) {
        #expect(DurationText.parse(text) == nil)
    }

    @Test(arguments: [0, 1, 999, 1_000, 61_001, 86_400_000, 694_861_001])
    func `a formatted duration is read back`(_ milliseconds: Int) {
        let duration = Duration.milliseconds(milliseconds)
        #expect(DurationText.parse(DurationText.format(duration)) == duration)
    }
}

struct SizeTextTests {
    @Test(arguments: [
        ("0", 0), ("512", 512), ("512B", 512), ("16KiB", 16_384), ("64MiB", 67_108_864), ("1GiB", 1_073_741_824),
        ("10kB", 10_000), ("5MB", 5_000_000), ("1GB", 1_000_000_000),
    ])
    func `sizes are read`(_ text: String, _ bytes: Int) {
        #expect(SizeText.parse(text) == bytes)
    }

    @Test(arguments: ["", "KiB", "16 KiB", "16KB", "16K", "16kib", "-1", "1.5MiB", "9223372036854775807KiB", "1TiBx"])
    func `what is no size is refused`(_ text: String) {
        #expect(SizeText.parse(text) == nil)
    }

    @Test(arguments: [0, 1, 1_000, 1_024, 1_536, 5_000_000, 1 << 26, 1 << 40])
    func `a formatted size is read back`(_ bytes: Int) {
        #expect(SizeText.parse(SizeText.format(bytes)) == bytes)
    }
}
