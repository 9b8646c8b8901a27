internal import CEventShim
internal import Locks

/// What the new connections of all loops of a server are encrypted by.
@safe
final class ServedCertificate: @unchecked Sendable {
    let shim: OpaquePointer
    private let until: Mutex<Int64>

    /// `nil` when there is no memory.
    init?(_ certificate: TLSCertificate) {
        guard let made = unsafe larder_tls_new(certificate.shim) else { return nil }
        unsafe shim = made
        until = Mutex(certificate.validity.until)
    }

    deinit { unsafe larder_tls_release(shim) }

    /// Until when it is valid, in seconds since 1970.
    var validUntil: Int64 { until.withLock { $0 } }

    /// Any thread: puts another one in its place.
    func renew(_ certificate: TLSCertificate) {
        unsafe larder_tls_renew(shim, certificate.shim)
        until.withLock { $0 = certificate.validity.until }
    }
}
