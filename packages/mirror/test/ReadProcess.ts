/**
 * A process that reads a mirror, as a user who may write nothing: it prints how many transfers it has, and again, or why
 * not, for each line that it reads.
 */
import { createInterface } from "node:readline"
import * as Effect from "effect/Effect"
import * as Driver from "../src/internal/Driver.ts"
import { TransferMirror } from "../src/TransferMirror.ts"

const [, , address = ""] = process.argv
await Effect.flatMap(TransferMirror, (mirror) => {
  const count = Driver.of(mirror).run((sql) => sql<{ readonly n: bigint }>`SELECT COUNT(*) AS n FROM transfers`)
  const asked = Effect.map(mirror.query("SELECT COUNT(*) AS n FROM transfers"), ({ rows }) => rows)
  const print = Effect.forEach([count, asked], (one) =>
    Effect.match(one, {
      onSuccess: ([row]) => process.stdout.write(`${row?.["n"]}\n`),
      onFailure: ({ message }) => process.stdout.write(`${message}\n`),
    }),
  )
  return Effect.promise(async () => {
    await Effect.runPromise(print)
    for await (const _ of createInterface(process.stdin)) await Effect.runPromise(print)
  })
}).pipe(Effect.provide(TransferMirror.layer(address, { readOnly: true })), Effect.runPromise)
