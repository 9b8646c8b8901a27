import Configuration
import Testing

struct DurationTextTests {
    @Test(
        "durations are read",
        arguments: [
            ("0", Duration.zero), ("0s", .zero), ("250ms", .milliseconds(250)), ("5s", .seconds(5)),
            ("2m", .seconds(120)), ("3h", .seconds(10_800)), ("7d", .seconds(604_800)), ("1m30s", .seconds(90)),
            ("1d2h3m4s5ms", .milliseconds(93_784_005)), ("1h1ms", .milliseconds(3_600_001)),
        ])
    func durationsAreRead(_ text: String, _ duration: Duration) {
        #expect(DurationText.parse(text) == duration)
    }

    @Test(
        "what is no duration is refused",
        arguments: [
            "", "5", "s", "5 s", "5 sec", "-5s", "+5s", "1.5s", "5S", "30s1m", "1m1m", "1ms1s", "5sx", "٥s", "1w",
            "5m ",
            "9223372036854775807d", "99999999999999999999s", "9223372036854775807ms1ms",
        ])
    func whatIsNoDurationIsRefused(_ text: String) {
        #expect(DurationText.parse(text) == nil)
    }

    @Test("a formatted duration is read back", arguments: [0, 1, 999, 1_000, 61_001, 86_400_000, 694_861_001])
    func aFormattedDurationIsReadBack(_ milliseconds: Int) {
        let duration = Duration.milliseconds(milliseconds)
        #expect(DurationText.parse(DurationText.format(duration)) == duration)
    }
}
