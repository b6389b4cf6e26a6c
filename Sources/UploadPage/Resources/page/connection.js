/** The client of the service that serves this page, with the current API key. */
import { Presign, PresignError } from "../presign.js";
import { state } from "./state.js";

const REFUSED = { source: "presign", code: "credentials-invalid", status: 401 };

export const service = new Presign({
  endpoint: new URL(".", document.baseURI),
  headers() {
    // Uploads that wait must not go on as a guest's.
    if (state.access === "rejected") throw new PresignError("the API key was refused", REFUSED);
    return state.key ? { authorization: `Bearer ${state.key}` } : {};
  },
});

/** Returns whether the service refused the caller: an invalid key, or a key beside a certificate. */
export const isUnauthorized = ({ source, status, code }) =>
  source === "presign" && (status === 401 || code === "credentials-ambiguous");
