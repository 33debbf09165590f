/** RFC 3339 as a shape. Apart from TextShape.ts, so that programs that only read capabilities do not load it. */
import * as Timestamp from "../../Timestamp.ts"
import { textThat } from "./ShapeCheck.ts"

export const timestamp = textThat("an RFC 3339 timestamp", (instant) =>
  Timestamp.isText(instant) ? undefined : "an RFC 3339 timestamp",
)
