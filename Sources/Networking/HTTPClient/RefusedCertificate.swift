internal import CEventShim
internal import FoundationEssentials

/// Describes the certificate that made a handshake fail.
struct RefusedCertificate {
    private let subject: String
    private let issuer: String
    private let names: String
    private let from: Int64
    private let until: Int64
    private let fault: larder_client_certificate_fault
    private let words: String

    init(_ certificate: larder_client_certificate) {
        subject = unsafe String(cString: certificate.subject)
        issuer = unsafe String(cString: certificate.issuer)
        names = unsafe String(cString: certificate.names)
        words = unsafe String(cString: certificate.words)
        (from, until, fault) = unsafe (certificate.from, certificate.until, certificate.fault)
    }

    /// - Parameters:
    ///   - place: host and port of the server.
    ///   - name: the name that the certificate must have.
    ///   - roots: the file of roots; nil for the system's.
    func sentence(place: String, name: String, roots: String?) -> String {
        "certificate of \(place) (\(subject), issuer \(issuer)): \(reason(name, roots))"
    }

    private func reason(_ name: String, _ roots: String?) -> String {
        switch fault {
        case LARDER_CERTIFICATE_NAMES_WRONG: "is for \(names.isEmpty ? subject : names), not \(name)"
        case LARDER_CERTIFICATE_EXPIRED: "expired on \(Self.day(until))"
        case LARDER_CERTIFICATE_NOT_YET_VALID: "is not valid before \(Self.day(from))"
        case LARDER_CERTIFICATE_UNKNOWN_ISSUER:
            "is not issued by a CA of \(roots ?? "the system"), or an intermediate one is missing"
        default: words
        }
    }

    private static func day(_ seconds: Int64) -> String {
        Date(timeIntervalSince1970: Double(seconds)).formatted(Date.ISO8601FormatStyle().year().month().day())
    }
}
