/// Makes the name of a request of its two numbers: 32 hexadecimal digits, as unique as the numbers are.
///
/// The numbers themselves are no business of who sees names: one is the same for all requests of a server, and the other
/// counts them. So the second is mixed such that the first, of 64 random bits, is needed to find it, and the first is
/// told by what it cannot be found from. That is no cipher; what it hides is how busy the service is.
enum SerialName {
    static func text(server: UInt64, number: UInt64) -> String {
        (mixed(server) ^ server).hexDigits + mixed(of: number, by: server).hexDigits
    }

    /// Another number for each number.
    private static func mixed(of number: UInt64, by key: UInt64) -> UInt64 {
        mixed(mixed(number ^ key) ^ mixed(key &+ 1)) ^ key
    }

    /// A number in which every bit depends on every bit of the given one, of which it is the only image.
    private static func mixed(_ number: UInt64) -> UInt64 {
        var number = number
        for factor: UInt64 in [0xBF58_476D_1CE4_E5B9, 0x94D0_49BB_1331_11EB] {
            number = (number ^ number >> 31) &* factor
        }
        return number ^ number >> 32
    }
}
