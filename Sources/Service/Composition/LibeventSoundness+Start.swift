internal import HTTPServer
internal import Logging

extension LibeventSoundness {
    /// Lets a service start on this libevent, with a word about what is wrong with it.
    ///
    /// - Throws: `StartError` where it is not one to build on.
    func check(_ logger: Logger) throws(StartError) {
        let version: Logger.Metadata = ["libevent": "\(HTTPServer.libeventVersion)"]
        switch self {
        case .sound: break
        case .tooOld: throw .libevent(found: HTTPServer.libeventVersion, oldest: Self.oldestVersion)
        case .unpatched: logger.warning("libevent lacks security fixes, update it", metadata: version)
        case .untried: logger.notice("libevent could not be tried for its security fixes", metadata: version)
        }
    }
}
