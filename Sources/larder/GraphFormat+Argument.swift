public import ArgumentParser
public import Service

extension GraphFormat: ExpressibleByArgument {}
