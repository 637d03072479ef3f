/** The lab's own thread: reads it, makes the student's programs, judges answers. */
import { expose } from "comlink";
import { hostedDesk } from "../../labs/desk-host.ts";

expose(hostedDesk());
