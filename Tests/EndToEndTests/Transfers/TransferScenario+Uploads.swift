import Foundation
import Testing

/// What several tests of transfers need.
extension TransferScenario {
    /// The result of `failure` in a page.
    struct Failed: Decodable, Sendable { let code: String, message: String }

    /// Starts an upload to `a` as `transfer` of the page, and waits for progress.
    ///
    /// - Parameter count: The number of parts that are sent. The others are held until `Browser.releaseUploads`, so that
    ///   the upload cannot end before the test goes on.
    func begin(size: Int, until loaded: Int, sending count: Int, _ options: String = "") async throws {
        try await browser.holdUploads()
        try await browser.releaseUploads(count)
        let _: Bool = try await run(
            """
            window.file = makeFile(\(size));
            window.stages = [];
            const onStage = (stage) => stages.push(stage);
            window.transfer = presign.upload(file, { path: 'a', onStage, \(options) });
            await reaches(transfer, \(loaded));
            return true;
            """)
    }

    /// Waits for the end of `transfer` and compares the object with the file.
    func expectStored() async throws {
        struct Uploaded: Decodable { let digest: String }
        let found: Uploaded = try await run("await transfer; return { digest: await digest(file) };")
        #expect(try await storedDigest("a") == found.digest)
        #expect(try await unfinishedUploads == 0)
    }

    /// Makes a file of this many MiB and chooses it as users do. It is `chosenFile` in the page, whose memory would have
    /// no reliable room for it.
    ///
    /// - Returns: Its SHA-256 in hexadecimal.
    func choose(mebibytes: Int) async throws -> String {
        let file = directory.appending(path: "large.bin")
        // Random blocks in an otherwise sparse file: misplaced parts change the digest.
        let script = """
            truncate -s "$1M" "$0"
            for block in $(seq 0 5 $(($1 - 1))); do
              head -c 4096 /dev/urandom | dd of="$0" bs=1M seek=$block conv=notrunc status=none
            done
            sha256sum "$0"
            """
        let made = try await Command.run("/bin/bash", ["-c", script, file.path(), "\(mebibytes)"])
        try await browser.run(
            "document.body.append(Object.assign(document.createElement('input'), { type: 'file', id: 'large' }))")
        try await browser.type(file.path(), into: "#large")
        try await browser.run("window.chosenFile = document.getElementById('large').files[0]")
        return String(made.output.prefix(64))
    }

    /// Counts the requests that send a part, those that succeeded, and how many send their bytes at the same time.
    static let countingParts = """
        const parts = window.parts ??= { sent: 0, stored: 0, now: 0, most: 0 };
        if (!parts.isInstalled) {
          parts.isInstalled = true;
          const { open, send } = XMLHttpRequest.prototype;
          XMLHttpRequest.prototype.open = function (method, url) {
            this.isPart = method === 'PUT' && url.includes('partNumber=');
            // Registered first, because presign.js sends the next part when it handles the same event.
            const end = () => {
              if (this.isSending) parts.now -= 1;
              this.isSending = false;
            };
            this.upload.addEventListener('load', end);
            this.addEventListener('readystatechange', () => { if (this.readyState === 4) end(); });
            this.addEventListener('load', () => { if (this.isPart && this.status === 200) parts.stored += 1; });
            open.apply(this, arguments);
          };
          XMLHttpRequest.prototype.send = function () {
            if (this.isPart) {
              this.isSending = true;
              parts.sent += 1;
              parts.now += 1;
              parts.most = Math.max(parts.most, parts.now);
            }
            send.apply(this, arguments);
          };
        }
        """

    /// Whether mounting is allowed; root in a container often lacks the permission.
    static var mayMount: Bool {
        get async throws {
            let trial = ["--mount", "/bin/mount", "-t", "tmpfs", "presign", "/tmp"]
            guard geteuid() == 0 else { return false }
            return try await Command.run("/usr/bin/unshare", trial).status == 0
        }
    }
}
