internal import ArgumentParser
internal import Configuration
internal import EventLoop
internal import FileSystem
internal import JSON
internal import Networking
internal import OperatorsAPI
internal import Service
internal import Text

/// The options of commands that talk to a running service, on its port for operators.
struct OperatorsPort: ParsableArguments {
    @OptionGroup var options: ConfigOption

    @Option(help: "The port for operators, as host and port. Default: the config's admin.listen.")
    var admin: String?

    @Option(help: "The file with the token for orders. Default: the config's admin.token_file.")
    var tokenFile: String?

    @Flag(help: "Prints the service's response unchanged.")
    var json = false

    func validate() throws {
        if let admin { _ = try NetworkAddress.reading(admin) }
    }

    typealias Query = [(name: String, value: String?)]

    /// Sends a request to the service and prints its response.
    ///
    /// - Parameter text: the response for a terminal.
    /// - Returns: the response, which may report a failed refresh.
    /// - Throws: `CommandFailure` if there is no response, or the service refuses.
    @discardableResult
    func ask(
        _ method: Method, _ path: String, _ query: Query, in environment: CommandEnvironment,
        text: (JSONObject) -> String
    ) async throws -> JSONObject {
        let access = try access(in: environment)
        let items = query.compactMap { item in
            item.value.map { "\(item.name)=\(PercentEncoding.component($0))" }
        }
        let place = "http://\(access.listen.reachable)\(path)"
        let request = HTTPClientRequest(
            method: method.rawValue, url: items.isEmpty ? place : "\(place)?\(items.joined(separator: "&"))",
            headers: try headers(method, tokenFile: access.tokenFile, in: environment),
            limits: HTTPClientLimits(connectTimeout: .seconds(5), timeout: .seconds(300)), followsRedirects: false)
        let response = try await Self.send(request)
        let object = try? JSONParser().parse(response.body).object
        // A failed order may have changed something nevertheless; its response has the results.
        guard response.status == 200 || object?["results"] != nil, let object else {
            let reason = object?["detail"]?.string ?? String(decoding: response.body.prefix(200), as: UTF8.self)
            throw CommandFailure("larder: \(method.rawValue) \(place): status \(response.status): \(reason.printable)")
        }
        try environment.output(json ? response.body + [UInt8(ascii: "\n")] : Array(text(object).utf8))
        return object
    }

    enum Method: String {
        /// Shows something. Needs no token.
        case show = "GET"
        /// Changes something.
        case order = "POST"
    }

    private static func send(_ request: HTTPClientRequest) async throws -> HTTPClientResponse {
        let loop = try EventLoop(name: "larder-operate")
        let client = HTTPClient(loops: [loop], userAgent: UserAgent(version: LarderVersion.current))
        let result: Result<HTTPClientResponse, any Error>
        do {
            result = .success(try await client.send(request))
        } catch {
            result = .failure(CommandFailure("larder: \(error)"))
        }
        await client.shutdown()
        await loop.shutdown()
        return try result.get()
    }

    /// The service to connect to. The config is read only for options missing on the command line.
    private func access(in environment: CommandEnvironment) throws -> OperatorsAccess {
        guard let admin else {
            let configured = try options.operators(in: environment)
            return OperatorsAccess(listen: configured.listen, tokenFile: tokenFile ?? configured.tokenFile)
        }
        let listen = try NetworkAddress.reading(admin)
        guard tokenFile == nil else { return OperatorsAccess(listen: listen, tokenFile: tokenFile) }
        // The service may be on another machine, so a config here is optional.
        let configured: OperatorsAccess?
        if options.config == nil {
            configured = try? options.operators(in: environment)
        } else {
            configured = try options.operators(in: environment)
        }
        return OperatorsAccess(listen: listen, tokenFile: configured?.tokenFile)
    }

    /// The token of an order, and a request id with the user's name, which the service logs and keeps with a pin.
    private func headers(
        _ method: Method, tokenFile: String?, in environment: CommandEnvironment
    ) throws -> [HTTPHeader] {
        guard method == .order else { return [] }
        let number = String(UInt32.random(in: 0...UInt32.max), radix: 16)
        var headers = [HTTPHeader("X-Request-Id", "\(environment.userName)-\(number)")]
        guard let tokenFile else { return headers }
        let token = try Self.token(in: tokenFile)
        headers.append(HTTPHeader("Authorization", sensitive: "Bearer \(token.reveal())"))
        return headers
    }

    private static func token(in path: String) throws(CommandFailure) -> Secret {
        let bytes: [UInt8]
        do throws(FileSystemError) {
            bytes = try Files.read(path)
        } catch {
            throw CommandFailure("larder: the token cannot be read: \(error)")
        }
        let token = Secret(String(decoding: bytes, as: UTF8.self)).trimmed
        guard let problem = SecretForm.bearerToken.problem(with: token) else { return token }
        throw CommandFailure("larder: \(path): \(problem)")
    }
}

extension CommandEnvironment {
    /// The user who runs the command, in letters and digits.
    var userName: String {
        let name = variables["SUDO_USER"] ?? variables["USER"] ?? "operator"
        let plain = name.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }.prefix(32)
        return plain.isEmpty ? "operator" : String(plain)
    }
}

extension ConfigOption {
    /// The address and the token's file of the port for operators.
    /// Other errors in the file are ignored, because a running service keeps its config. It also keeps its port: if the
    /// file names another one, commands fail until the service is restarted.
    func operators(in environment: CommandEnvironment) throws(CommandFailure) -> OperatorsAccess {
        let path = path(in: environment)
        do {
            let document = try ConfigDocument.read(path: path, environment: environment.variables)
            if let access = ServiceConfiguration.operators(of: document) { return access }
            return OperatorsAccess(listen: try LoadedConfiguration.check(document).service.adminListen, tokenFile: nil)
        } catch {
            throw CommandFailure("\(error)\(environment.advice(for: path))")
        }
    }
}

extension NetworkAddress {
    /// The address to connect to: the loopback one for an address that means every interface.
    var reachable: NetworkAddress {
        NetworkAddress(host: ["0.0.0.0", "::"].contains(host) ? "127.0.0.1" : host, port: port)
    }
}
