import HTTPServer
import TestSupport

/// How a test's clients and its server speak to each other.
enum Transport: Sendable, CaseIterable {
    case plain
    case tls12
    case tls13

    /// What a client offers; nil for plain HTTP.
    var offer: TLSOffer? {
        switch self {
        case .plain: nil
        case .tls12: TLSOffer(.v12 ... .v12)
        case .tls13: TLSOffer(.v13 ... .v13)
        }
    }

    /// What the server has for it.
    var certificate: TLSCertificate? {
        get throws { self == .plain ? nil : try .test(.first) }
    }
}

extension TLSCertificate {
    /// One of the tests' own.
    static func test(_ certificate: TestCertificate, minimumVersion: TLSVersion = .v12) throws -> TLSCertificate {
        try TLSCertificate(
            chain: try certificate.chain, key: try certificate.key, minimumVersion: minimumVersion)
    }
}
