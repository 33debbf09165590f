/** The grammar of instants as a shape, apart from the others: capabilities have none, and load without it. */
import * as Timestamp from "../../Timestamp.ts"
import { textThat } from "./ShapeCheck.ts"

export const timestamp = textThat("an RFC 3339 timestamp", (instant) =>
  Timestamp.isText(instant) ? undefined : "an RFC 3339 timestamp",
)
