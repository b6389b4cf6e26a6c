extension ReceivedSignature {
    /// Parses the fields of a form that state how its policy is signed. They are valid for 7 days; the policy's own
    /// conditions are not checked.
    ///
    /// - Parameter field: returns the value of a form's field, whose name is in lower case; nil if it is missing.
    package init(form field: (_ name: String) -> [UInt8]?) throws(PresignedURLParseFailure) {
        func value(_ name: String) throws(PresignedURLParseFailure) -> [UInt8] {
            guard let value = field(name) else { throw PresignedURLParseFailure(name) }
            return value
        }
        content = .success(.policy(try value("policy")))
        guard try value("x-amz-algorithm").elementsEqual(QueryParameter.algorithmName.utf8) else {
            throw PresignedURLParseFailure("x-amz-algorithm", "it is not AWS4-HMAC-SHA256")
        }
        time = try Self.time(try value("x-amz-date"), named: "x-amz-date")
        (accessKeyID, scope) = try Self.credential(
            try value("x-amz-credential"), at: time, named: "x-amz-credential")
        lifetime = Presigner.validExpiry.upperBound
        (signatureName, signature) = ("x-amz-signature", try value("x-amz-signature"))
    }
}
