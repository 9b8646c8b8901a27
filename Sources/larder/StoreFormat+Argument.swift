public import ArgumentParser
public import Service

extension StoreFormat: ExpressibleByArgument {}
