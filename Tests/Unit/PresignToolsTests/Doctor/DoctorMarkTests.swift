import Presigning
import Testing

@testable import PresignTools

@Suite("Doctor's mark")
struct DoctorMarkTests {
    private static let prefix = Array("v1/presign-doctor/".utf8)
    private static let run = "doctor-20270115T080000Z-00112233445566778899aabbccddeeff"

    private static func parse(_ key: String) -> (mark: DoctorMark, slot: DoctorMark.Slot)? {
        DoctorMark.parse(Array(key.utf8), below: prefix)
    }

    @Test("Every key of a run is recognized")
    func ownKeys() throws {
        let mark = DoctorMark(at: DoctorFixture.time)
        for slot in DoctorMark.Slot.allCases {
            let key = mark.key(of: slot, below: Self.prefix)
            let found = try #require(DoctorMark.parse(key, below: Self.prefix))
            #expect(found.mark == mark && found.slot == slot)
        }
        #expect(DoctorMark(at: DoctorFixture.time) != mark)
    }

    @Test(
        "No other key is",
        arguments: [
            "v1/presign-doctor/\(run)", "v1/presign-doctor/\(run)/", "v1/presign-doctor/\(run)/else",
            "v1/presign-doctor/\(run)/object/x", "v1/presign-doctor/x\(run)/object", "presign-doctor/\(run)/object",
            "v1/presign-doctor/\(run)0/object", "v1/presign-doctor/\(run.uppercased())/object",
            "v1/presign-doctor//\(run)/object", "v1/presign-doctor/a/\(run)/object", "v1/presign-doctor/", "",
            "v1/presign-doctor/\(run.dropLast())g/object",
            "v1/presign-doctor/doctor-2027-00112233445566778899aabbccddeeff/object",
        ])
    func otherKeys(key: String) {
        #expect(Self.parse("v1/presign-doctor/\(Self.run)/object") != nil)
        #expect(Self.parse(key) == nil)
    }

    @Test("A listing may encode keys")
    func listed() {
        let prefix = Array("a b/".utf8)
        for key in ["a b/\(Self.run)/target", "a%20b/\(Self.run)/target", "a%20b%2F\(Self.run)%2Ftarget"] {
            #expect(DoctorMark.parse(listed: Array(key.utf8), below: prefix)?.slot == .target, "\(key)")
        }
        #expect(DoctorMark.parse(listed: Array("a%2520b/\(Self.run)/target".utf8), below: prefix) == nil)
    }

    @Test("Only a content of the same run proves an object")
    func proof() throws {
        let mark = DoctorMark(at: DoctorFixture.time)
        let other = DoctorMark(at: DoctorFixture.time)
        for content in DoctorMark.Content.allCases {
            let bytes = mark.bytes(content)
            #expect(mark.isProved(by: bytes) && mark.isProved(by: bytes + DoctorMark.surplus))
            #expect(
                !other.isProved(by: bytes) && !mark.isProved(by: bytes + [0])
                    && !mark.isProved(by: bytes.dropLast() + []))
            #expect(DoctorMark.content(of: bytes) == content)
        }
        #expect(!mark.isProved(by: []))
        #expect(mark.bytes(.first).count == mark.bytes(.second).count)
    }
}
