/** Somebody who takes `gte` for `lt`. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Result from "effect/Result"
import { bench as right, contestant } from "../../src/benches/created-at.ts"

export const bench = {
  ...right,
  name: import.meta.filename,
  contestants: [
    ...right.contestants,
    contestant("wrong", [], async () => ({
      read: (values) => Result.getOrThrow(CreatedAt.fromParams(values.map((value) => value.replace("gte:", "lt:")))),
      matches: (filter, at) => CreatedAt.matches(filter, Timestamp.parseUnsafe(at)),
      request: (filter) => CreatedAt.plan(filter).requests[0]?.created_at,
    })),
  ],
}
