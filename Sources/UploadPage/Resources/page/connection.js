/** The client of the service that serves this page, with the current API key. */
import { Presign } from "../presign.js";
import { state } from "./state.js";

export const service = new Presign({
  endpoint: new URL(".", document.baseURI),
  headers: () => (state.key ? { authorization: `Bearer ${state.key}` } : {}),
});

/** Returns `state.access` after the service has accepted the key, or a guest. */
export const accepted = () => (state.key ? "accepted" : "guest");
/** Returns `state.access` after the service has refused the key, or a guest. */
export const refused = () => (state.key ? "rejected" : "required");

export const isUnauthorized = ({ source, status }) => source === "presign" && status === 401;
