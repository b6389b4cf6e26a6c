package import ConfigurationReading

extension CORSPolicy {
    package init(_ node: ConfigurationNode) throws(ConfigurationError) {
        let keys = try node.mapping(["origins", "maxAge"])
        let origins = try keys["origins"]?.each { node in
            let origin = try node.string()
            if let mistake = CORSPolicy.mistake(in: origin) { throw node.error(mistake) }
            return origin
        }
        self.init(origins: origins ?? [], maxAge: Int64(try keys["maxAge"]?.seconds(in: 0...86_400) ?? 7200))
    }
}
