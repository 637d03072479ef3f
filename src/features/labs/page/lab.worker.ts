/** The lab's own thread: reads it, makes the student's programs, judges answers. */
import { expose } from "comlink";
import { Desk } from "../engine/desk.ts";

expose(new Desk());
