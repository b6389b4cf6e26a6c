/** The client of the service that serves this page: all of presign.js. */
import { Presign } from "../presign.js";
import { service } from "./connection.js";

export const presign = new Presign(service);
