internal import Configuration

extension CommandEnvironment {
    /// Reads the config file at `path` again at each SIGHUP, with the variables as they were at the start.
    func reloadSource(_ path: String, _ signals: SignalWatch) -> ReloadSource {
        ReloadSource(requests: signals.reloads) { [variables] () throws(ConfigurationError) in
            try LoadedConfiguration.load(path: path, environment: variables)
        }
    }
}
