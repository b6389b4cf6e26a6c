// Uploads or downloads a file, or continues what an earlier run has left unfinished.
//
//     transfer ENDPOINT FOLDER upload FILE PATH
//     transfer ENDPOINT FOLDER download PATH FILE
//     transfer ENDPOINT FOLDER resume
//
// FOLDER keeps the records of unfinished transfers. PRESIGN_API_KEY has the API key.
import Foundation
import PresignClient

let arguments = CommandLine.arguments.dropFirst()
let key = ProcessInfo.processInfo.environment["PRESIGN_API_KEY"] ?? ""
guard arguments.count >= 3, let endpoint = URL(string: arguments[1]) else {
    print("usage: transfer ENDPOINT FOLDER upload FILE PATH|download PATH FILE|resume")
    exit(64)
}

var configuration = PresignStorage.Configuration()
configuration.stateFolder = URL(filePath: arguments[2])
let storage = PresignStorage(endpoint: endpoint, configuration: configuration) { ["Authorization": "Bearer \(key)"] }

/// Prints a line at once, also into a pipe.
func tell(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

/// Prints the progress in whole percents until the transfer ends.
func show<Success>(_ task: StorageTransferTask<Success>) async throws {
    var shown: Int64 = -1
    for await progress in await task.progress where progress.totalUnitCount > 0 {
        let percent = progress.completedUnitCount * 100 / progress.totalUnitCount
        if percent != shown { tell("\(percent)%") }
        shown = percent
    }
    _ = try await task.value
}

do {
    switch (arguments[3], arguments.count) {
    case ("upload", 5):
        try await show(storage.uploadFile(path: .fromString(arguments[5]), local: URL(filePath: arguments[4])))
    case ("download", 5):
        try await show(storage.downloadFile(path: .fromString(arguments[4]), local: URL(filePath: arguments[5])))
    default:
        for transfer in await storage.resumeTransfers() {
            switch transfer {
            case .upload(let path, _, let task):
                tell("upload \(path)")
                try await show(task)
            case .download(let path, _, let task):
                tell("download \(path)")
                try await show(task)
            }
        }
    }
    tell("done")
} catch {
    tell("error: \((error as? StorageError)?.code?.rawValue ?? ""): \(error.localizedDescription)")
    exit(1)
}
