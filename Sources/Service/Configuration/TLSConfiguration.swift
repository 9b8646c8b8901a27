internal import Concurrency
package import Configuration
internal import FoundationEssentials
internal import HTTPServer
internal import Logging
internal import Products

/// The config file's `http.tls:`: the certificate of the port for products.
package struct TLSConfiguration: Sendable {
    let certificate: TLSCertificate

    /// The section's keys.
    package static let fields: [FieldSpec] = [
        .required("certificate", .path, "the certificate in PEM form, then those that have issued one another"),
        .required("key", .path, "its private key in PEM form, without a passphrase"),
        .defaulted("minimum_version", .choice(TLSVersion.self), "1.2", "what clients have to speak at least"),
    ]

    /// Reads the section and both files, which have to fit together.
    init?(_ reader: FieldReader) {
        let (chain, key) = (reader.textOfFile("certificate"), reader.textOfFile("key"))
        let version = reader.choice("minimum_version", TLSVersion.self)
        guard let chain, let key else { return nil }
        do throws(TLSCertificateError) {
            certificate = try TLSCertificate(chain: chain, key: key, minimumVersion: version)
        } catch {
            let field = error.isAboutKey ? "key" : "certificate"
            reader.report(
                .error, at: field, "\"\(field)\": \(reader.node(field)?.found ?? "this") is of no use: \(error)")
            return nil
        }
        warnIfNotValid(reader, at: Int64(WallClock.system.now().timeIntervalSince1970))
    }

    /// The metadata of log lines when it comes into force.
    var metadata: Logger.Metadata { ["certificate_until": "\(Self.day(certificate.validity.until))"] }

    /// Only warns: clients refuse the certificate, but a service that does not start would help them less.
    private func warnIfNotValid(_ reader: FieldReader, at now: Int64) {
        let validity = certificate.validity
        if now > validity.until {
            reader.report(.warning, at: "certificate", "the certificate has expired on \(Self.day(validity.until))")
        } else if now < validity.from {
            reader.report(.warning, at: "certificate", "the certificate is not valid before \(Self.day(validity.from))")
        }
    }

    private static func day(_ seconds: Int64) -> String {
        Date(timeIntervalSince1970: Double(seconds)).formatted(Date.ISO8601FormatStyle().year().month().day())
    }
}
