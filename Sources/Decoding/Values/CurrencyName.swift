internal import Products

/// A currency as a text names it: by its code in any case, or by a sign, which several currencies may have.
struct CurrencyName {
    /// The codes of the currencies that have the name, in capitals.
    let codes: Set<String>
    /// The code of the only currency with the name; nil if there are several.
    var code: String? { codes.count == 1 ? codes.first : nil }

    /// Nil for a text that names no currency.
    init?(_ text: String) {
        let code = text.uppercased()
        if Currency(code: code) != nil || Self.rareCodes.contains(code) {
            codes = [code]
            return
        }
        // A point behind letters ends an abbreviation, as in `kr.`.
        let sign = text.last == "." && text.dropLast().last?.isLetter == true ? String(text.dropLast()) : text
        guard let codes = Self.signs[sign] else { return nil }
        self.codes = codes
    }

    /// Codes that ``Currency`` lacks: metals, the one for no currency, and one that was withdrawn.
    private static let rareCodes: Set = ["XXX", "XDR", "XAU", "XAG", "XPT", "XPD", "HRK"]

    private static let signs: [String: Set<String>] = {
        var signs: [String: Set<String>] = [:]
        for line in table.split(separator: "\n") {
            let sides = line.split(separator: "=")
            let codes = Set(sides[1].split(separator: " ").map(String.init))
            for sign in sides[0].split(separator: " ") { signs[String(sign)] = codes }
        }
        return signs
    }()

    /// Signs, and the currencies that have each of them.
    private static let table = """
        € = EUR
        £ = GBP
        ¥ ￥ = JPY CNY
        円 JP¥ = JPY
        元 CN¥ RMB = CNY
        $ = USD ARS AUD BBD BMD BND BSD BZD CAD CLP COP CUP DOP FJD GYD HKD JMD KYD \
        LRD MXN NAD NZD SBD SGD SRD TTD TWD USN UYU XCD
        US$ U$S = USD
        C$ = CAD NIO
        CA$ CAD$ = CAD
        A$ AU$ = AUD
        NZ$ = NZD
        HK$ = HKD
        NT$ = TWD
        S$ = SGD
        MX$ Mex$ = MXN
        R$ = BRL
        R = ZAR
        kr Kr KR = DKK ISK NOK SEK
        Ft = HUF
        zł zl ZŁ = PLN
        Kč kč Kc = CZK
        Fr fr SFr sFr FS = CHF
        lei Lei = MDL RON
        лв = BGN
        kn Kn = HRK
        ₽ руб р = RUB
        ₴ грн = UAH
        ₺ TL = TRY
        ₹ = INR
        Rs RS ₨ = INR LKR MUR NPR PKR SCR
        ₩ 원 = KRW
        ₪ = ILS
        ₫ đ = VND
        ₱ = PHP
        ฿ = THB
        ₦ = NGN
        ₵ = GHS
        ₡ = CRC
        ₲ = PYG
        ₸ = KZT
        ₼ = AZN
        ₾ = GEL
        ৳ = BDT
        RM = MYR
        Rp = IDR
        S/ = PEN
        Bs = BOB VES
        KSh = KES
        E£ LE = EGP
        """
}
