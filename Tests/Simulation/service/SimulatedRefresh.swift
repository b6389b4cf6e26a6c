import Dispatch
import HTTPClient
import HTTPServerTestSupport
import Presigning
import Refreshing
import Synchronization
import System

@testable import PresignServiceTestSupport
@testable import StorageCredentials

/// The refresh of one selection, as `presign serve` runs it, with the shipped source. The simulation decides when the
/// source's endpoint responds, and what.
///
/// It runs on a thread of its own, because fetching blocks, but never at the same time as the simulation.
final class SimulatedRefresh: Sendable {
    let value: CurrentCredentials
    let endpoint: HeldExchange
    private let result = Mutex<CurrentCredentials.Step?>(nil)
    private let queue = DispatchQueue(label: "simulated-refresh")

    init(_ value: CurrentCredentials, _ endpoint: HeldExchange) {
        (self.value, self.endpoint) = (value, endpoint)
        _ = value.source.require(Epoch.minRemaining)
    }

    /// The selection in the configuration.
    var selection: CredentialSelection { value.source.id }

    /// Runs a step until it ends or waits for its endpoint.
    ///
    /// - Parameters:
    ///   - isForced: whether it fetches credentials although that is not due.
    ///   - chance: a number in 0..<1.
    func begin(isForced: Bool = false, _ chance: Double) {
        queue.async { [self] in
            if isForced { value.refreshNow() }
            let step = value.step(chance: { chance })
            result.withLock { $0 = step }
            endpoint.yield()
        }
        endpoint.awaitYield()
    }

    /// The result of the last step, once; nil while it waits for its endpoint.
    func takeStep() -> CurrentCredentials.Step? { result.withLock { $0.take() } }
}

/// A request to a credential endpoint that waits for its response.
final class HeldExchange: Sendable {
    struct Pending {
        let request: FetchRequest
        let deadline: MonotonicTime
    }

    private let clock: TestClock
    private let held = Mutex<(pending: Pending?, outcome: Result<FetchResponse, FetchFailure>)>(
        (nil, .failure(.timedOut)))
    private let yielded = DispatchSemaphore(value: 0)
    private let resumed = DispatchSemaphore(value: 0)

    init(_ clock: TestClock) { self.clock = clock }

    var pending: Pending? { held.withLock { $0.pending } }

    /// Lets the simulation continue.
    func yield() { yielded.signal() }

    func awaitYield() { yielded.wait() }

    /// Waits for the simulation's response, on the thread of the refresh.
    func response(to request: FetchRequest, within timeout: Duration) throws(FetchFailure) -> FetchResponse {
        held.withLock { $0.pending = Pending(request: request, deadline: clock.uptime + TimeSpan(timeout)) }
        yield()
        resumed.wait()
        return try held.withLock { $0.outcome }.get()
    }

    /// Responds, and lets the refresh continue until it ends or sends the next request.
    func respond(_ outcome: Result<FetchResponse, FetchFailure>) {
        held.withLock { $0 = (nil, outcome) }
        resumed.signal()
        awaitYield()
    }
}

/// A shipped source whose requests go to the simulation.
struct SimulatedSource: CredentialSource {
    let shipped: any CredentialSource
    let endpoint: HeldExchange

    func resolve() throws(CredentialFailure) -> CredentialResolution? {
        guard case .fetched(let fetcher)? = try shipped.resolve() else { return try shipped.resolve() }
        return .fetched(simulated(fetcher))
    }

    private func simulated(_ fetcher: any CredentialFetcher) -> any CredentialFetcher {
        switch fetcher {
        case let fetcher as InstanceCredentials: InstanceCredentials(endpoint: held(fetcher.endpoint))
        case let fetcher as ContainerCredentials:
            ContainerCredentials(
                endpoint: held(fetcher.endpoint), tokenFile: fetcher.tokenFile, token: fetcher.token)
        case let fetcher as WebIdentityCredentials:
            WebIdentityCredentials(
                endpoint: held(fetcher.endpoint), role: fetcher.role, session: fetcher.session,
                tokenFile: fetcher.tokenFile)
        default: fetcher
        }
    }

    private func held(_ endpoint: CredentialEndpoint) -> CredentialEndpoint {
        var endpoint = endpoint
        let (held, timeout) = (self.endpoint, endpoint.timeout)
        endpoint.exchange = { request, _, _, _ throws(FetchFailure) in try held.response(to: request, within: timeout) }
        return endpoint
    }
}
