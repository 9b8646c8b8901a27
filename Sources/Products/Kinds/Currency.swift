/// A currency of ISO 4217.
package struct Currency: Sendable, Hashable {
    /// The digits after the decimal point: none for JPY, three for KWD, two for most.
    let minorDigits: Int

    /// The minor digits of most currencies.
    static let usualMinorDigits = 2

    /// Finds a currency by its code in capitals; nil when the standard has none.
    package init?(code: String) {
        guard let minorDigits = Self.known[code] else { return nil }
        self.minorDigits = minorDigits
    }

    private static let known: [String: Int] = {
        var known: [String: Int] = [:]
        for (minorDigits, codes) in [usualMinorDigits: usual, 0: whole, 3: thousandths, 4: tenThousandths] {
            for code in codes.split(whereSeparator: \.isWhitespace) { known[String(code)] = minorDigits }
        }
        return known
    }()

    private static let usual = """
        AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF
        CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF
        IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN
        MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS
        SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG
        """
    private static let whole = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"
    private static let thousandths = "BHD IQD JOD KWD LYD OMR TND"
    private static let tenThousandths = "CLF UYW"
}
