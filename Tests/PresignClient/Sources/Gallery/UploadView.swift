#if canImport(SwiftUI)
    import Foundation
    import PresignClient
    import SwiftUI
    import UniformTypeIdentifiers

    /// Chooses a file, uploads it with progress, and pauses or cancels the upload.
    struct UploadView: View {
        let storage: PresignStorage
        @State private var isChoosing = false
        @State private var task: StorageUploadFileTask?
        @State private var fraction = 0.0
        @State private var status = StorageTransferStatus.running
        @State private var message = "Choose a file"

        var body: some View {
            VStack(spacing: 16) {
                Text(message)
                if let task {
                    ProgressView(value: fraction)
                    HStack {
                        switch status {
                        case .paused: Button("Resume") { task.resume() }
                        case .pausing: Text("Pausing…")
                        case .running, .ended: Button("Pause") { task.pause() }
                        }
                        Button("Cancel", role: .cancel) { task.cancel() }
                    }
                } else {
                    Button("Choose…") { isChoosing = true }
                }
            }
            .padding()
            .fileImporter(isPresented: $isChoosing, allowedContentTypes: [.item]) { result in
                guard case .success(let file) = result else { return }
                Task { await upload(file) }
            }
        }

        @MainActor
        private func upload(_ chosen: URL) async {
            defer { (task, status) = (nil, .running) }
            do {
                let file = try await Self.copy(of: chosen)
                let upload = storage.uploadFile(
                    path: .fromIdentityID { "private/\($0)/\(file.lastPathComponent)" }, local: file)
                (task, message) = (upload, "Uploading \(file.lastPathComponent)")
                for await progress in await upload.progress {
                    (fraction, status) = (progress.fractionCompleted, upload.status)
                }
                message = "Uploaded to \(try await upload.value)"
                try? FileManager.default.removeItem(at: file.deletingLastPathComponent())
            } catch let error as StorageError {
                message = [error.errorDescription, error.recoverySuggestion].compactMap { $0 }.joined(separator: " ")
            } catch {
                message = error.localizedDescription
            }
        }

        /// Copies the file into a folder of its own: the app may read the chosen file only now, and an upload continues
        /// after a restart of the app. Not on the main actor, which a large file would block.
        nonisolated private static func copy(of chosen: URL) async throws -> URL {
            let isScoped = chosen.startAccessingSecurityScopedResource()
            defer { if isScoped { chosen.stopAccessingSecurityScopedResource() } }
            let folder = URL.documentsDirectory.appending(path: UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let file = folder.appending(path: chosen.lastPathComponent)
            try FileManager.default.copyItem(at: chosen, to: file)
            return file
        }
    }
#endif
