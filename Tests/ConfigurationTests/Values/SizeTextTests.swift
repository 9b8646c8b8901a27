import Configuration
import Testing

struct SizeTextTests {
    @Test(
        "sizes are read",
        arguments: [
            ("0", 0), ("512", 512), ("512B", 512), ("16KiB", 16_384), ("64MiB", 67_108_864), ("1GiB", 1_073_741_824),
            ("10kB", 10_000), ("5MB", 5_000_000), ("1GB", 1_000_000_000),
        ])
    func sizesAreRead(_ text: String, _ bytes: Int) {
        #expect(SizeText.parse(text) == bytes)
    }

    @Test(
        "what is no size is refused",
        arguments: ["", "KiB", "16 KiB", "16KB", "16K", "16kib", "-1", "1.5MiB", "9223372036854775807KiB", "1TiBx"])
    func whatIsNoSizeIsRefused(_ text: String) {
        #expect(SizeText.parse(text) == nil)
    }

    @Test("a formatted size is read back", arguments: [0, 1, 1_000, 1_024, 1_536, 5_000_000, 1 << 26, 1 << 40])
    func aFormattedSizeIsReadBack(_ bytes: Int) {
        #expect(SizeText.parse(SizeText.format(bytes)) == bytes)
    }
}
