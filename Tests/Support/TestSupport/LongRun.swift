import Foundation

/// Whether tests take the time that their longest form needs, as with `Tests/run.sh --long`.
package let isLongRun = ProcessInfo.processInfo.environment["PRESIGN_E2E_LONG"] != nil
