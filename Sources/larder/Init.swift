internal import ArgumentParser
internal import ConfigDrafting
internal import Configuration
internal import EventLoop
internal import FileSystem
internal import Networking
internal import OperatorsAPI
internal import Service
internal import Text

/// Drafts a config for an upstream.
struct Init: Command {
    static let configuration = CommandConfiguration(
        abstract: "Asks an upstream once, and writes a config with a mapping of its JSON.",
        discussion: """
            Recognises the forms of known shops, and looks for id, name, price and the like in any other. It asks on a terminal \
            where the price is not clear, and fails elsewhere: then --set decides, such as --set price.currency=EUR, --set \
            price.amount=PATH, --set price.scale=decimal (or currency, for minor units), --set items=PATH, --set language=de.
            """)

    @Argument(help: "The URL of the products, or a file with a document as the upstream sends it.")
    var url: String

    @Option(help: "The config file to write; - is standard output.")
    var output = "larder.yaml"

    @Option(
        help: "A header of the request, as 'Name: value'; may be repeated. The config takes it from the environment.")
    var header: [RequestHeader] = []

    @Option(name: .customLong("ca-file"), help: "The roots that sign the upstream's certificate, in PEM.")
    var caFile: String?

    @Option(
        help: "The proxy, such as http://proxy.example:3128; user and password come from the environment in the config."
    )
    var proxy: String?

    @Option(help: "Decides what the document leaves open, as NAME=VALUE; may be repeated.")
    var set: [String] = []

    @Flag(help: "Replaces the config file if it exists.")
    var force = false

    func run(in environment: CommandEnvironment) async throws {
        let isPrinted = output == "-"
        if !isPrinted, !force, Files.exists(output) {
            throw CommandFailure("larder: \(output) exists; --force replaces it, and --output names another")
        }
        var settings = DraftSettings()
        do throws(DraftProblem) {
            for text in set { try settings.add(text) }
        } catch { throw ValidationError("\(error)") }
        let source: DraftSource
        do throws(DraftProblem) {
            source = try DraftSource(
                url, headers: header.map { HTTPHeader($0.name, sensitive: $0.value) },
                DraftConnection(caFile: caFile, proxy: proxy))
        } catch { throw ValidationError("\(error)") }
        let response = try await document(of: source)
        let draft = try draft(response, source, settings, in: environment)
        let checked = try checked(draft, source, in: environment)
        if isPrinted {
            try environment.print(draft.text)
        } else {
            do {
                let bytes = Array(draft.text.utf8)
                if force {
                    try Files.replace(output, with: bytes, temporary: "\(output).new")
                } else {
                    try Files.create(output, bytes)
                }
            } catch { throw CommandFailure("larder: \(error)") }
        }
        for warning in draft.warnings + checked { environment.report("warning: \(warning)") }
        let summary = """
            \(source.description): \(draft.form ?? "no known form"); \(draft.counts.products) products of \(draft.counts.items) items
            before: \(draft.before)
            after:  \(draft.after)

            """
        if isPrinted { environment.report(summary) } else { try environment.print(summary) }
        let names = source.variables.map(\.name)
        if !names.isEmpty { environment.report("the config reads \(WordList.enumeration(names)) from the environment") }
        if !isPrinted { environment.report("\(output) is written; next: larder fetch --dry-run --config \(output)") }
    }

    /// Asks the upstream once, or reads the file.
    private func document(of source: DraftSource) async throws -> HTTPClientResponse {
        switch source {
        case .file(let path):
            do {
                return HTTPClientResponse(status: 200, body: try Files.read(path))
            } catch { throw CommandFailure("larder: \(error)") }
        case .http(let address, let headers, let connection):
            let loop = try EventLoop(name: "larder-init")
            let client = HTTPClient(
                loops: [loop], userAgent: UserAgent(version: LarderVersion.current), options: connection.options)
            let request = HTTPClientRequest(
                url: "\(address.origin)\(address.path)\(address.query)", headers: headers,
                limits: HTTPClientLimits(connectTimeout: .seconds(5), timeout: .seconds(30)))
            let result = await Self.send(request, by: client)
            await client.shutdown()
            await loop.shutdown()
            let response = try result.get()
            if let fault = Self.fault(of: response) { throw CommandFailure("larder: \(source.description): \(fault)") }
            return response
        }
    }

    private static func send(
        _ request: HTTPClientRequest, by client: HTTPClient
    ) async -> Result<HTTPClientResponse, CommandFailure> {
        do {
            return .success(try await client.send(request))
        } catch {
            return .failure(CommandFailure("larder: \(error)"))
        }
    }

    /// The reason why a response holds no products.
    private static func fault(of response: HTTPClientResponse) -> String? {
        // XML needs no declaration and may look like HTML, so only `text/html` counts here; the draft recognises a page
        // by its beginning.
        let isPage = response.isHTML && response.headers["Content-Type"]?.lowercased().hasPrefix("text/html") == true
        return switch response.status {
        case 200, 206: isPage ? "a page of HTML, not JSON; is this the URL of the API?" : nil
        case 401, 403:
            "status \(response.status): the upstream wants to know who asks; give a key with --header, such as --header "
                + "'Authorization: Bearer KEY'"
        default: "status \(response.status): \(String(decoding: response.body.prefix(200), as: UTF8.self).printable)"
        }
    }

    /// Drafts the config, and asks at the terminal for settings that the document does not decide. Without a terminal,
    /// all such settings are reported as a failure.
    private func draft(
        _ response: HTTPClientResponse, _ source: DraftSource, _ settings: DraftSettings,
        in environment: CommandEnvironment
    ) throws -> ConfigDraft {
        var settings = settings
        var unanswered: [DraftQuestion] = []
        while true {
            do throws(DraftProblem) {
                let draft = try ConfigDraft(
                    response.body, headers: response.headers, isPartial: response.status == 206, from: source, settings)
                if unanswered.isEmpty { return draft }
            } catch {
                if case .question(let question) = error, settings[question.setting] == nil {
                    if unanswered.isEmpty, let answer = environment.ask(question.prompt) {
                        settings[question.setting] = question.value(of: answer)
                        continue
                    }
                    unanswered.append(question)
                    settings[question.setting] = question.assumption
                    if question.assumption != nil { continue }
                }
                // A failure after an assumed answer is not reported, since the assumption may be its cause.
                if unanswered.isEmpty { throw CommandFailure("larder: \(source.description): \(error)") }
            }
            throw CommandFailure("larder: \(source.description): \(DraftProblem.questions(unanswered))")
        }
    }

    /// Checks the whole config.
    /// - Returns: its warnings.
    private func checked(
        _ draft: ConfigDraft, _ source: DraftSource, in environment: CommandEnvironment
    ) throws -> [String] {
        var variables = environment.variables
        for (name, value) in source.variables { variables[name] = value }
        do {
            let document = try ConfigDocument.parse(draft.text, file: output, environment: variables)
            return try LoadedConfiguration.check(document).warnings.map(\.message)
        } catch {
            throw CommandFailure("larder: the drafted config is not valid:\n\(error)")
        }
    }
}
