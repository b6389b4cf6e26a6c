/** The client of the service that serves this page. */
import { Presign } from "../js/client.js";
import { service } from "./connection.js";

export const presign = new Presign(service);
