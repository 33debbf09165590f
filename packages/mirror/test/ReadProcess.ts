/** A process that reads a mirror, as a user who may write nothing: it prints how many transfers it has. */
import * as Effect from "effect/Effect"
import * as Driver from "../src/internal/Driver.ts"
import { TransferMirror } from "../src/TransferMirror.ts"

const [, , address = ""] = process.argv
await Effect.flatMap(TransferMirror, (mirror) =>
  Driver.of(mirror).run((sql) => sql<{ readonly n: bigint }>`SELECT COUNT(*) AS n FROM transfers`),
).pipe(
  Effect.provide(TransferMirror.layer(address, { readOnly: true })),
  Effect.map(([row]) => process.stdout.write(String(row?.n))),
  Effect.runPromise,
)
