internal import Configuration
internal import TestSupport

@testable internal import Networking

/// Credentials that are there as soon as a test says so.
struct GatedAuthentication: Authentication {
    /// How often they were asked for.
    let asked = Observed(0)
    let isOpen = Observed(false)
    var secrets: [Secret] { [] }

    func headers() async -> [HTTPHeader] {
        asked.update { $0 += 1 }
        await isOpen.wait { $0 }
        return []
    }
}
