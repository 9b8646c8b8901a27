internal import FileSystem

/// Certificates for `localhost`, each with its key. Everybody has the keys, so they are good for tests only.
public enum TestCertificate: String, Sendable, CaseIterable {
    /// Serial number 1, valid until 2120.
    case first
    /// Serial number 2, valid until 2120.
    case second
    /// Serial number 3, valid until 2021.
    case expired
    /// Serial number 4, with an RSA key of 1024 bits.
    case weak
    /// Serial number 5, valid from 2100.
    case future

    private static let directory =
        "/" + #filePath.split(separator: "/").dropLast().joined(separator: "/") + "/Certificates"

    /// The path of the key of `first` with a passphrase.
    public static let encryptedKeyPath = "\(directory)/encrypted-test-key.pem"

    /// The key of `first` with a passphrase.
    public static var encryptedKey: String { get throws { try text(encryptedKeyPath) } }

    /// The certificate's path.
    public var path: String { "\(Self.directory)/\(rawValue).pem" }
    /// The key's path.
    public var keyPath: String { "\(Self.directory)/\(rawValue)-test-key.pem" }

    /// The certificate in PEM form.
    public var chain: String { get throws { try Self.text(path) } }
    /// Its key in PEM form.
    public var key: String { get throws { try Self.text(keyPath) } }

    /// The `tls` section of a config that serves with it.
    public var section: String { "tls: { certificate: \"\(path)\", key: \"\(keyPath)\" }" }

    private static func text(_ path: String) throws -> String { String(decoding: try Files.read(path), as: UTF8.self) }
}
