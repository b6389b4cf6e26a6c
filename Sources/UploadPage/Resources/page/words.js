/** The texts of the page, which stand in one file for each language, and the reasons of errors. */
import { language, locale, settings } from "./language.js";
import * as english from "./texts/en.js";

const texts = language === "en" ? english : await import(`./texts/${language}.js`);
const { kinds, failures, signIns } = texts;

/** The name of the service. */
export const serviceName = settings.title ?? "presign";
export const { words, actions, states, phrases } = texts;

/** Describes content types: `["image/*", "application/pdf"]` are "images and PDF". */
export function kindsOf(types) {
  const names = types.map((type) => kinds[type] ??
    (/^(image|video|audio|font)\/[\w-]+$/.test(type) ? type.split("/")[1].toUpperCase() : type));
  return new Intl.ListFormat(locale).format(names);
}

const signInReason = (code) => signIns[code] ??
  (/^(invalid|unauthorized|unsupported)_/.test(code) ? signIns.wrongSetup : signIns.other);

/** Describes an error in one sentence. `permission` has the limits of the folder. */
export function reason({ source, status, code, retryable, fields = [] }, permission = {}, maxSize = "") {
  const isAbout = (field) => fields.some(({ name }) => name === field);
  const { types } = permission;
  if (source === "provider") return signInReason(retryable ? "temporarily_unavailable" : code);
  if (source === "service" && status === 401) return failures.signInNeeded;
  if (isAbout("contentType")) return phrases.wrongType(types ? kindsOf(types) : "");
  if (isAbout("contentLength")) return phrases.wrongSize(maxSize);
  if (isAbout("path")) return failures.wrongName;
  if (status === 429) return failures.tooMany;
  if (status === 507) return failures.full;
  if (code === "OriginNotAllowed") return phrases.blocked(location.origin);
  if (source === "network" && code !== "OutcomeUnknown") {
    // Browsers tell only whether the computer has a network, so with one the server is meant.
    return navigator.onLine ? failures.noResponse : failures.offline;
  }
  if (status >= 500) return failures.serverProblem;
  return failures[code] ?? failures[source] ?? failures.other;
}

/** Describes why a sign-in failed, or why the service refused its token. */
export function signInFailure(error) {
  if (error.source !== "service") return reason(error);
  return error.code === "token-expired" ? signIns.tokenExpired : signIns.tokenRefused;
}

/** Describes an error for experts. */
export function technical(error) {
  const { source, code, status, message, recoverySuggestion, requestId } = error;
  const facts = [source, code, status || "", requestId && `request ${requestId}`].filter(Boolean).join(" · ");
  return [message, recoverySuggestion, facts].filter(Boolean).join("\n");
}
