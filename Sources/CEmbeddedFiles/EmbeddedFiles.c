#include "EmbeddedFiles.h"

// `#embed` of C23: compiling the contents as array literals of Swift takes 25 s of processor time.
static const struct presign_file page_files[] = {
    {"/", (const unsigned char[]){
#embed "../UploadPage/Resources/index.html" suffix(, 0)
    }},
    {"/page/page.css", (const unsigned char[]){
#embed "../UploadPage/Resources/page/page.css" suffix(, 0)
    }},
    {"/page/rows.css", (const unsigned char[]){
#embed "../UploadPage/Resources/page/rows.css" suffix(, 0)
    }},
    {"/presign.js", (const unsigned char[]){
#embed "../UploadPage/Resources/presign.js" suffix(, 0)
    }},
    {"/presign-worker.js", (const unsigned char[]){
#embed "../UploadPage/Resources/presign-worker.js" suffix(, 0)
    }},
    {"/presign.d.ts", (const unsigned char[]){
#embed "../UploadPage/Resources/presign.d.ts" suffix(, 0)
    }},
    {"/favicon.svg", (const unsigned char[]){
#embed "../UploadPage/Resources/favicon.svg" suffix(, 0)
    }},
    {"/page/account.js", (const unsigned char[]){
#embed "../UploadPage/Resources/page/account.js" suffix(, 0)
    }},
    {"/page/address.js", (const unsigned char[]){
#embed "../UploadPage/Resources/page/address.js" suffix(, 0)
    }},
    {"/page/connection.js", (const unsigned char[]){
#embed "../UploadPage/Resources/page/connection.js" suffix(, 0)
    }},
    {"/page/dom.js", (const unsigned char[]){
#embed "../UploadPage/Resources/page/dom.js" suffix(, 0)
    }},
    {"/page/files.js", (const unsigned char[]){
#embed "../UploadPage/Resources/page/files.js" suffix(, 0)
    }},
    {"/page/folder.js", (const unsigned char[]){
#embed "../UploadPage/Resources/page/folder.js" suffix(, 0)
    }},
    {"/page/format.js", (const unsigned char[]){
#embed "../UploadPage/Resources/page/format.js" suffix(, 0)
    }},
    {"/page/key.js", (const unsigned char[]){
#embed "../UploadPage/Resources/page/key.js" suffix(, 0)
    }},
    {"/page/library.js", (const unsigned char[]){
#embed "../UploadPage/Resources/page/library.js" suffix(, 0)
    }},
    {"/page/link.js", (const unsigned char[]){
#embed "../UploadPage/Resources/page/link.js" suffix(, 0)
    }},
    {"/page/listing.js", (const unsigned char[]){
#embed "../UploadPage/Resources/page/listing.js" suffix(, 0)
    }},
    {"/page/language.js", (const unsigned char[]){
#embed "../UploadPage/Resources/page/language.js" suffix(, 0)
    }},
    {"/page/main.js", (const unsigned char[]){
#embed "../UploadPage/Resources/page/main.js" suffix(, 0)
    }},
    {"/page/offer.js", (const unsigned char[]){
#embed "../UploadPage/Resources/page/offer.js" suffix(, 0)
    }},
    {"/page/preview.js", (const unsigned char[]){
#embed "../UploadPage/Resources/page/preview.js" suffix(, 0)
    }},
    {"/page/provider.js", (const unsigned char[]){
#embed "../UploadPage/Resources/page/provider.js" suffix(, 0)
    }},
    {"/page/queue.js", (const unsigned char[]){
#embed "../UploadPage/Resources/page/queue.js" suffix(, 0)
    }},
    {"/page/removal.js", (const unsigned char[]){
#embed "../UploadPage/Resources/page/removal.js" suffix(, 0)
    }},
    {"/page/rows.js", (const unsigned char[]){
#embed "../UploadPage/Resources/page/rows.js" suffix(, 0)
    }},
    {"/page/save.js", (const unsigned char[]){
#embed "../UploadPage/Resources/page/save.js" suffix(, 0)
    }},
    {"/page/selection.js", (const unsigned char[]){
#embed "../UploadPage/Resources/page/selection.js" suffix(, 0)
    }},
    {"/page/share.js", (const unsigned char[]){
#embed "../UploadPage/Resources/page/share.js" suffix(, 0)
    }},
    {"/page/state.js", (const unsigned char[]){
#embed "../UploadPage/Resources/page/state.js" suffix(, 0)
    }},
    {"/page/texts/de.js", (const unsigned char[]){
#embed "../UploadPage/Resources/page/texts/de.js" suffix(, 0)
    }},
    {"/page/texts/en.js", (const unsigned char[]){
#embed "../UploadPage/Resources/page/texts/en.js" suffix(, 0)
    }},
    {"/page/transfers.js", (const unsigned char[]){
#embed "../UploadPage/Resources/page/transfers.js" suffix(, 0)
    }},
    {"/page/tree.js", (const unsigned char[]){
#embed "../UploadPage/Resources/page/tree.js" suffix(, 0)
    }},
    {"/page/uploads.js", (const unsigned char[]){
#embed "../UploadPage/Resources/page/uploads.js" suffix(, 0)
    }},
    {"/page/words.js", (const unsigned char[]){
#embed "../UploadPage/Resources/page/words.js" suffix(, 0)
    }},
    {"/js/checksum.js", (const unsigned char[]){
#embed "../UploadPage/Resources/js/checksum.js" suffix(, 0)
    }},
    {"/js/client.js", (const unsigned char[]){
#embed "../UploadPage/Resources/js/client.js" suffix(, 0)
    }},
    {"/js/download.js", (const unsigned char[]){
#embed "../UploadPage/Resources/js/download.js" suffix(, 0)
    }},
    {"/js/errors.js", (const unsigned char[]){
#embed "../UploadPage/Resources/js/errors.js" suffix(, 0)
    }},
    {"/js/group.js", (const unsigned char[]){
#embed "../UploadPage/Resources/js/group.js" suffix(, 0)
    }},
    {"/js/http.js", (const unsigned char[]){
#embed "../UploadPage/Resources/js/http.js" suffix(, 0)
    }},
    {"/js/line.js", (const unsigned char[]){
#embed "../UploadPage/Resources/js/line.js" suffix(, 0)
    }},
    {"/js/listed.js", (const unsigned char[]){
#embed "../UploadPage/Resources/js/listed.js" suffix(, 0)
    }},
    {"/js/multipart.js", (const unsigned char[]){
#embed "../UploadPage/Resources/js/multipart.js" suffix(, 0)
    }},
    {"/js/objects.js", (const unsigned char[]){
#embed "../UploadPage/Resources/js/objects.js" suffix(, 0)
    }},
    {"/js/openid.js", (const unsigned char[]){
#embed "../UploadPage/Resources/js/openid.js" suffix(, 0)
    }},
    {"/js/options.js", (const unsigned char[]){
#embed "../UploadPage/Resources/js/options.js" suffix(, 0)
    }},
    {"/js/parts.js", (const unsigned char[]){
#embed "../UploadPage/Resources/js/parts.js" suffix(, 0)
    }},
    {"/js/permissions.js", (const unsigned char[]){
#embed "../UploadPage/Resources/js/permissions.js" suffix(, 0)
    }},
    {"/js/progress.js", (const unsigned char[]){
#embed "../UploadPage/Resources/js/progress.js" suffix(, 0)
    }},
    {"/js/records.js", (const unsigned char[]){
#embed "../UploadPage/Resources/js/records.js" suffix(, 0)
    }},
    {"/js/resumable.js", (const unsigned char[]){
#embed "../UploadPage/Resources/js/resumable.js" suffix(, 0)
    }},
    {"/js/retry.js", (const unsigned char[]){
#embed "../UploadPage/Resources/js/retry.js" suffix(, 0)
    }},
    {"/js/sending.js", (const unsigned char[]){
#embed "../UploadPage/Resources/js/sending.js" suffix(, 0)
    }},
    {"/js/service.js", (const unsigned char[]){
#embed "../UploadPage/Resources/js/service.js" suffix(, 0)
    }},
    {"/js/signin.js", (const unsigned char[]){
#embed "../UploadPage/Resources/js/signin.js" suffix(, 0)
    }},
    {"/js/single.js", (const unsigned char[]){
#embed "../UploadPage/Resources/js/single.js" suffix(, 0)
    }},
    {"/js/slots.js", (const unsigned char[]){
#embed "../UploadPage/Resources/js/slots.js" suffix(, 0)
    }},
    {"/js/storage.js", (const unsigned char[]){
#embed "../UploadPage/Resources/js/storage.js" suffix(, 0)
    }},
    {"/js/transfer.js", (const unsigned char[]){
#embed "../UploadPage/Resources/js/transfer.js" suffix(, 0)
    }},
    {"/js/upload.js", (const unsigned char[]){
#embed "../UploadPage/Resources/js/upload.js" suffix(, 0)
    }},
    {"/js/uppy.js", (const unsigned char[]){
#embed "../UploadPage/Resources/js/uppy.js" suffix(, 0)
    }},
    {"/js/urls.js", (const unsigned char[]){
#embed "../UploadPage/Resources/js/urls.js" suffix(, 0)
    }},
    {"/js/verify.js", (const unsigned char[]){
#embed "../UploadPage/Resources/js/verify.js" suffix(, 0)
    }},
    {"/js/worker.js", (const unsigned char[]){
#embed "../UploadPage/Resources/js/worker.js" suffix(, 0)
    }},
};

int presign_page_file_count(void) { return sizeof page_files / sizeof *page_files; }

struct presign_file presign_page_file(int index) { return page_files[index]; }

const unsigned char *presign_api_description(void) {
    static const unsigned char content[] = {
#embed "../../config/openapi.yaml" suffix(, 0)
    };
    return content;
}
