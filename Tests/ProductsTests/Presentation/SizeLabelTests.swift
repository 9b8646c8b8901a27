import FoundationEssentials
import Products
import Testing

struct SizeLabelTests {
    @Test(
        arguments: [
            (0, "0 bytes"), (1, "1 byte"), (1023, "1023 bytes"), (1024, "1 KiB"), (1075, "1 KiB"), (1076, "1.1 KiB"),
            (1536, "1.5 KiB"), (1_048_524, "1023.9 KiB"), (1_048_525, "1 MiB"), (1_048_576, "1 MiB"),
            (734_003_200, "700 MiB"), (4_700_000_000, "4.4 GiB"), (1 << 40, "1 TiB"), (Int.max, "8 EiB"), (-1, nil),
            (Int.min, nil),
        ] as [(Int, String?)])
    func `A size is shown in the unit that suits it, to a tenth`(bytes: Int, label: String?) {
        let details = ProductDetails(id: "1", name: "Song", price: Price(amount: 1, currency: "EUR"))
        let display = DigitalProduct(details: details, size: bytes).variant.display(popularity: PopularityRule())
        #expect(display.subtitle == label)
    }
}
