/// Files of this repository, embedded in the binary. Their contents are text without NUL, which ends them here.
#pragma once

/// A file that the service sends.
struct presign_file {
    /// The path in the service.
    const char *_Nonnull path;
    const unsigned char *_Nonnull content;
};

/// The number of files of the upload page and of presign.js.
int presign_page_file_count(void);

/// Returns a file of the upload page or of presign.js.
///
/// `index` is less than the number of files.
struct presign_file presign_page_file(int index);

/// Returns the description of the API, config/openapi.yaml.
const unsigned char *_Nonnull presign_api_description(void);
