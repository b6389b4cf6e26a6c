/// Uploads that wait before their first byte, so that a test can look at what moves. It works in all browsers, unlike a
/// limited bandwidth.
extension Browser {
    /// Holds all further requests with a file until they are released.
    func holdUploads() async throws {
        try await run(
            """
            if (window.gate) { gate.open = 0; return; }
            window.gate = { open: 0, held: [], sent: 0, parts: new Set() };
            const { open, send, abort } = XMLHttpRequest.prototype;
            XMLHttpRequest.prototype.open = function (method, url) {
              this.heldPart = Number(new URL(url).searchParams.get('partNumber'));
              open.apply(this, arguments);
            };
            XMLHttpRequest.prototype.send = function (body) {
              if (!(body instanceof Blob)) return send.call(this, body);
              if (gate.open === 0) return void gate.held.push({ request: this, body });
              gate.open -= 1;
              gate.sent += 1;
              gate.parts.add(this.heldPart);
              send.call(this, body);
            };
            XMLHttpRequest.prototype.abort = function () {
              const index = gate.held.findIndex(({ request }) => request === this);
              if (index < 0) return abort.call(this);
              gate.held.splice(index, 1);
              this.dispatchEvent(new ProgressEvent('abort'));
            };
            """)
    }

    /// Lets this many requests through, the held ones first.
    func releaseUploads(_ count: Int = 100_000) async throws {
        try await run(
            """
            gate.open = \(count);
            for (const { request, body } of gate.held.splice(0, \(count))) request.send(body);
            """)
    }

    /// The number of requests with a file that were sent since `holdUploads`.
    var sentUploads: Int { get async throws { try await evaluate("return gate.sent") } }

    /// The numbers of the parts that were sent since `holdUploads`.
    var sentParts: [Int] { get async throws { try await evaluate("return [...gate.parts].sort()") } }

    /// Lets the first held request appear to have sent these bytes.
    func showProgress(_ bytes: Int) async throws {
        try await run("gate.held[0].request.upload.onprogress({ loaded: \(bytes) })")
    }
}
