/** All texts of the page in German. */
import { isolated, number } from "../language.js";

const several = (count, one, many) => (count === 1 ? `1 ${one}` : `${number(count)} ${many}`);
const files = (count) => several(count, "Datei", "Dateien");
const names = (count) => several(count, "Name", "Namen");
const sentence = (...parts) => parts.filter(Boolean).join(", ");
const as = (name) => (name ? ` als ${name}` : "");
const progress = (done, all) => `${number(done)} von ${files(all)} fertig`;

/** Fixed texts, to which index.html and the views refer by name. */
export const words = {
  notLoaded: "Ein Teil dieser Seite konnte nicht geladen werden. Laden Sie die Seite neu.",
  title: "Dateien hochladen und finden", root: "Dateien", details: "Details", news: "Neues",
  account: "Konto", key: "API-Schlüssel", signIn: "Anmelden", signOut: "Abmelden",
  leaveText: "Die Uploads enden, und was sie gesendet haben, wird entfernt.", stay: "Angemeldet bleiben",
  signedIn: "Angemeldet", guest: "Gast · Anmelden", signedOut: "Nicht angemeldet",
  keyHint: "API-Schlüssel vergibt der Betreiber dieses Dienstes. Dieser Tab behält ihn, bis Sie den Tab schließen.",
  keyInvalid: "Dieser API-Schlüssel ist ungültig.",
  keyMissing: "Geben Sie einen API-Schlüssel ein.",
  keyRequired: "Melden Sie sich an, um Dateien zu sehen und hochzuladen.",
  signInOptional: "Melden Sie sich an, um mehr zu tun, als Gäste dürfen.",
  wantKey: "API-Schlüssel verwenden",
  keepKey: "Nicht verwenden", useKey: "Schlüssel verwenden",
  folder: "Ordner", changeFolder: "Ordner wechseln", newFolder: "Neuer Ordner", open: "Öffnen",
  refresh: "Ordner neu laden",
  folderHint: "Ein neuer Ordner entsteht mit seiner ersten Datei.",
  newFolderName: "Name des neuen Ordners", newFolderHint: "Andere sehen den Ordner, sobald er eine Datei hat.",
  create: "Anlegen", nameMissing: "Geben Sie einen Namen ein.", createdNote: "Für andere sichtbar mit der ersten Datei",
  emptyCreated: "Noch keine Dateien. Andere sehen diesen Ordner mit seiner ersten Datei.",
  noAccess: "Sie haben keinen Zugriff auf diesen Ordner.",
  noAccessGuest: "Gäste haben keinen Zugriff auf diesen Ordner.",
  chooseFiles: "Dateien wählen", chooseFolder: "Ordner wählen", dropHint: "oder auf dieser Seite ablegen",
  cannotUpload: "In diesen Ordner können Sie nichts hochladen.",
  neverReplaced: "Vorhandene Dateien werden nicht ersetzt",
  uploads: "Uploads", overall: "Fortschritt aller Dateien", pause: "Anhalten", resume: "Fortsetzen",
  cancel: "Abbrechen", clear: "Ausblenden", show: "Anzeigen",
  pauseAll: "Alle Uploads anhalten", resumeAll: "Alle Uploads fortsetzen", cancelAll: "Alle Uploads abbrechen",
  clearFinished: "Beendete Uploads ausblenden", showUploads: "Hochgeladene Dateien anzeigen",
  retryFailed: "Fehlgeschlagene wiederholen", replaceAll: "Alle ersetzen", skipAll: "Alle überspringen",
  listing: "Dateien in diesem Ordner", loading: "Wird geladen …", empty: "Noch keine Dateien.", more: "Mehr anzeigen",
  stop: "Stopp",
  filter: "Nach Namen filtern", reload: "Erneut versuchen", startFolders: "Ordner, die Sie öffnen können",
  someStartFolders: "Einige der Ordner, die Sie öffnen können",
  sort: "Sortieren nach", name: "Name", size: "Größe", changed: "Geändert", ascending: "Aufsteigend",
  descending: "Absteigend",
  select: "Auswählen", selectAll: "Alle Dateien auswählen", selection: "Ausgewählte Dateien",
  selectNone: "Auswahl aufheben",
  save: "Herunterladen", delete: "Löschen", keepFiles: "Abbrechen",
  cannotUndo: "Das lässt sich nicht rückgängig machen.",
  notListed: "Die Dateien dieses Ordners können nicht aufgelistet werden.",
  uploadOnly: "Sie können in diesen Ordner hochladen, aber seine Dateien können nicht aufgelistet werden.",
  waitingOffline: "Sie sind offline. Der Ordner wird geladen, sobald das Netz wieder da ist.",
  waiting: "Der Server ist nicht erreichbar. Neuer Versuch …",
  life: "Gültig für", days: "Tage", otherDays: "Andere Anzahl von Tagen",
  link: "Link", copy: "Link kopieren", close: "Schließen", copied: "Kopiert.",
  folderLink: "Der Link öffnet diesen Ordner für alle, die ihn sehen dürfen.",
  previous: "Vorige Datei", next: "Nächste Datei",
  noPreview: "Dateien dieses Typs können hier nicht angezeigt werden. Sie können sie herunterladen.",
  notShown: "Diese Datei kann hier nicht angezeigt werden. Sie können sie herunterladen.",
  notCopied: "Der Browser lässt diese Seite nicht kopieren. Kopieren Sie den Link aus dem Feld.",
};

/** Labels of the buttons in a row. */
export const actions = {
  pause: "Anhalten", resume: "Fortsetzen", cancel: "Abbrechen", retry: "Wiederholen", replace: "Ersetzen",
  skip: "Überspringen", "keep-both": "Beide behalten",
  choose: "Datei wählen", link: "Link", download: "Herunterladen", remove: "Entfernen", delete: "Löschen",
  pauseWhole: "Anhalten (diese Datei beginnt von vorn)", resumeWhole: "Von vorn beginnen",
};

/** States of an upload. */
export const states = {
  waiting: "Wartet", offline: "Offline", done: "Hochgeladen", failed: "Fehlgeschlagen",
  cancelled: "Abgebrochen", exists: "Vorhanden", interrupted: "Unterbrochen", retrying: "Neuer Versuch",
  finishing: "Wird beendet",
  uploading: (percent) => `${percent} %`, paused: (percent) => `Angehalten, ${percent} %`,
  pausing: "Hält an …",
};

/** Texts with values. */
export const phrases = {
  user: ({ apiKey, identity }) => (apiKey ? `API-Schlüssel ${apiKey}` : identity ?? words.signedIn),
  keyIsKept: (id) => `Ihr API-Schlüssel „${id}“ bleibt in diesem Tab, bis Sie ihn schließen oder sich abmelden.`,
  tokenIsKept: (name) => `Sie sind${as(name)} angemeldet, in diesem Tab, bis Sie ihn schließen oder sich abmelden.`,
  withoutKey: (identity) =>
    `Sie sind${as(identity)} angemeldet. Wenn Sie einen API-Schlüssel eingeben, verwendet dieser Tab ihn stattdessen.`,
  keyForgotten: (id) => `Der Dienst hat den API-Schlüssel${id && ` „${id}“`} abgelehnt, deshalb hat dieser Tab ihn ` +
    "vergessen. Geben Sie einen anderen ein.",
  leave: (count) => `Abmelden und ${several(count, "Upload", "Uploads")} abbrechen?`,
  offer: (id) => (id ? `API-Schlüssel „${id}“ verwenden?` : "Diesen API-Schlüssel verwenden?"),
  current: ({ apiKey, identity }) => (apiKey ? `Ihren API-Schlüssel „${apiKey}“` : `Ihre Anmeldung${as(identity)}`),
  offered: (current) => `Der geöffnete Link enthält ${current ? `einen anderen Schlüssel, der ${current} ersetzen würde`
    : "diesen Schlüssel"}. Wenn Sie ihn verwenden, gelangen Ihre Dateien in Ordner, die auch der Absender des Links ` +
    "öffnen kann.",
  uploading: (done, all) => `Wird hochgeladen, ${progress(done, all)}`,
  offline: (done, all) => `Wartet auf das Netz, ${progress(done, all)}`,
  retrying: (done, all) => `Der Server ist nicht erreichbar. Neuer Versuch, ${progress(done, all)}`,
  paused: (done, all) => `Angehalten, ${progress(done, all)}`,
  pausing: (done, all) => `Hält an, ${progress(done, all)}`,
  counts: ({ done, failed, exists, interrupted, cancelled }) => sentence(
    done > 0 && `${files(done)} hochgeladen`, failed > 0 && `${failed} fehlgeschlagen`,
    cancelled > 0 && `${cancelled} abgebrochen`, interrupted > 0 && `${interrupted} unterbrochen`,
    exists > 0 && `${exists} schon vorhanden`),
  moving: (title, { failed, exists, interrupted }) =>
    sentence(title, phrases.counts({ failed, exists, interrupted })),
  bytes: (count) => several(count, "Byte", "Bytes"),
  percent: (value) => `${value} %`,
  amount: (loaded, total) => `${loaded} von ${total}`,
  speed: (amount) => `${amount}/s`,
  left: (time) => `noch ${time}`,
  allowed: (kinds, limit) => (kinds ? (limit ? `${kinds} bis ${limit}` : `Nur ${kinds}`)
    : limit ? `Dateien bis ${limit}` : "Dateien aller Art"),
  exists: (facts) => `Eine Datei mit diesem Namen gibt es schon${facts && ` (${facts})`}.`,
  interrupted: (percent) => `Bei ${percent} % unterbrochen. Wählen Sie dieselbe Datei noch einmal, um fortzufahren.`,
  otherFile: (name) => `Die gewählte Datei ist nicht die unterbrochene Fassung von ${isolated(name)}.`,
  duplicate: (name) => `${isolated(name)} ist schon in der Liste.`,
  dropHere: (folder) => `Dateien ablegen, um sie nach „${isolated(folder)}“ hochzuladen`,
  linkTo: (name) => `Link zu ${isolated(name)}`,
  linkUntil: (time) => `Alle mit diesem Link können die Datei herunterladen, bis ${time}.`,
  entries: (folders, count, isComplete) => sentence(folders > 0 && several(folders, "Ordner", "Ordner"),
    (count > 0 || folders === 0) && files(count), !isComplete && "weitere vorhanden"),
  found: (found, count, isSearching, isComplete) => (isSearching
    ? `${number(found)} gefunden, bisher ${names(count)} durchsucht`
    : `${number(found)} von ${names(count)}${isComplete ? "" : ", weitere vorhanden"}`),
  loadingRest: (count) => `Alle Namen werden geladen, bisher ${number(count)}`,
  created: (name) => `${isolated(name)} angelegt. Andere sehen den Ordner mit seiner ersten Datei.`,
  searching: (count) => `Suche … bisher ${names(count)}`,
  noMatch: (count, text) => `Keiner von ${number(count)} Namen enthält „${text}“.`,
  selected: (count, amount, areMore) => `${files(count)} ausgewählt, ${amount}${areMore ? ", weitere vorhanden" : ""}`,
  saving: (done, all) => `Wird gespeichert, ${progress(done, all)}`,
  saved: (done, failed) =>
    sentence(done > 0 && `${files(done)} gespeichert`, failed > 0 && `${files(failed)} nicht gespeichert`) + ".",
  counting: (count) => `Dateien werden gezählt, bisher ${number(count)}`,
  folderDeletion: (name, count) => `Den Ordner „${isolated(name)}“ mit ${files(count)} löschen?`,
  place: (index, all) => `${number(index)} von ${number(all)}`,
  tooLarge: (limit) => `Dateien dieses Typs über ${limit} werden hier nicht angezeigt. Sie können sie herunterladen.`,
  deletion: (count) => `${files(count)} löschen?`,
  others: (count) => `und ${several(count, "weitere", "weitere")}`,
  deleting: (done, all) => `Wird gelöscht, ${progress(done, all)}`,
  deleted: (done, failed) =>
    sentence(done > 0 && `${files(done)} gelöscht`, failed > 0 && `${files(failed)} nicht gelöscht`) + ".",
  unreadable: (count) =>
    `${several(count, "Datei oder Ordner konnte", "Dateien und Ordner konnten")} nicht gelesen werden.`,
  ignored: (count) => `${several(count, "Systemdatei", "Systemdateien")} wie .DS_Store ausgelassen.`,
  wrongType: (kinds) => `Dateien dieses Typs sind hier nicht erlaubt${kinds && `, nur ${kinds}`}.`,
  wrongSize: (limit) => `Die Datei ist größer als hier erlaubt${limit && ` (höchstens ${limit})`}.`,
  blocked: (origin) =>
    `Der Speicher antwortet dieser Seite nicht. Der Betreiber muss ${origin} in die CORS-Regeln des Buckets eintragen.`,
  added: (count) => `${files(count)} hinzugefügt`,
  news: (name, text) => `${isolated(name)}: ${text}`,
  actionOn: (action, name) => `${action}: ${name}`,
};

/** Names of content types; others are named by their subtype, such as PNG. */
export const kinds = {
  "image/*": "Bilder", "video/*": "Videos", "audio/*": "Audiodateien", "text/*": "Textdateien",
  "text/plain": "reiner Text", "text/csv": "CSV", "application/pdf": "PDF", "application/zip": "ZIP",
  "application/json": "JSON", "image/svg+xml": "SVG", "audio/mpeg": "MP3",
};

const CONFLICT = "Ein anderer Upload dieser Datei läuft noch.";

/** Reasons of failures by code; the first ones have no code. */
export const failures = {
  signInNeeded: "Melden Sie sich an, um fortzufahren.",
  wrongName: "Dieser Name oder Ordner ist nicht erlaubt.",
  tooMany: "Das waren zu viele Anfragen. Versuchen Sie es gleich noch einmal.", full: "Der Speicher ist voll.",
  serverProblem: "Der Server hat ein Problem. Versuchen Sie es gleich noch einmal.",
  noResponse: "Der Server antwortet nicht. Versuchen Sie es gleich noch einmal.",
  offline: "Sie sind offline. Prüfen Sie Ihre Verbindung.",
  presign: "Der Dienst hat das abgelehnt.", storage: "Der Speicher hat das abgelehnt.",
  other: "Etwas ist schiefgegangen.",
  forbidden: "Das dürfen Sie hier nicht.", TransferActive: CONFLICT, OperationAborted: CONFLICT,
  ConditionalRequestConflict: CONFLICT,
  PreconditionFailed: "Eine Datei mit diesem Namen gibt es schon, und Dateien werden hier nicht ersetzt.",
  EntityTooLarge: "Die Datei ist zu groß für den Speicher.",
  FileUnreadable: "Die Datei wurde geändert, verschoben oder entfernt. Wählen Sie sie noch einmal.",
  OutcomeUnknown: "Die Verbindung brach am Ende ab. Prüfen Sie, ob die Datei angekommen ist.",
  ChecksumUnavailable: "Dieser Ordner verlangt Prüfsummen, die Browser nur auf https-Seiten berechnen.",
};

const SIGN_IN_AGAIN = "Die Anmeldung ist abgelaufen. Melden Sie sich neu an.";

/** Reasons why a sign-in fails, by code: those of OAuth and OpenID Connect, and those of presign.js. */
export const signIns = {
  access_denied: "Sie haben die Anmeldung abgebrochen oder keinen Zugriff auf diese Anwendung.",
  temporarily_unavailable: "Der Anmeldedienst ist nicht erreichbar. Laden Sie die Seite gleich noch einmal.",
  server_error: "Der Anmeldedienst hat ein Problem. Versuchen Sie es gleich noch einmal.",
  invalid_grant: "Die Anmeldung hat zu lange gedauert. Melden Sie sich neu an.", SignInExpired: SIGN_IN_AGAIN,
  login_required: SIGN_IN_AGAIN,
  SignInUnknown:
    "Diese Anmeldung wurde nicht in diesem Tab begonnen oder war schon abgeschlossen. Melden Sie sich neu an.",
  SignInInsecure: "Die Anmeldung braucht eine sichere Adresse, die mit https beginnt.",
  SignInBlocked: "Ihr Browser blockiert Websitedaten. Erlauben Sie sie für diese Seite, um sich anzumelden.",
  ClockSkew: "Die Uhr Ihres Geräts geht falsch. Stellen Sie Zeit und Zeitzone richtig und melden Sie sich neu an.",
  wrongSetup: "Diese Seite ist beim Anmeldedienst nicht richtig eingerichtet.",
  other: "Der Anmeldedienst konnte Sie nicht anmelden.",
  tokenExpired: "Der Dienst hält Ihre neue Anmeldung für abgelaufen. Vielleicht geht seine Uhr falsch.",
  tokenRefused: "Der Dienst hat Ihre Anmeldung abgelehnt. Sein Betreiber findet den Grund im Protokoll.",
};
