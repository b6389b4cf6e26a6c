/**
 * Uploads files from a web page directly to S3 or S3-compatible storage, with URLs signed by a presign service.
 * ES modules without dependencies and without user interface: they do not access the document.
 *
 *     import { Presign } from "./presign.js";
 *     const presign = new Presign({ endpoint: "https://presign.example.com", apiKey });
 *     const transfer = presign.upload(file, { path: "photos/cat.jpg", onProgress });
 *     const { path } = await transfer;
 *     const url = await presign.downloadURL(path);
 *
 * To serve them from another place, copy this file and the folder `js` from the repository: the service adds its
 * version to the paths below. The types are in presign.d.ts.
 *
 * @module presign
 */
export { Presign } from "./js/client.js";
export { PresignError } from "./js/errors.js";
export { SignIn } from "./js/signin.js";
export { uppyOptions } from "./js/uppy.js";
