/** Writes the file of an export from its spool, in order of creation, so that the same transfers give the same bytes. */
import { createHash } from "node:crypto"
import * as Summary from "@transferkit/domain/Summary"
import type { Transfer } from "@transferkit/domain/Transfer"
import type { MalformedResponse } from "@transferkit/domain/TransferApiError"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { FileError } from "../FileError.ts"
import * as DecimalWidth from "../formats/DecimalWidth.ts"
import * as ParquetEncoder from "../formats/ParquetEncoder.ts"
import * as TransferEncoder from "../formats/TransferEncoder.ts"
import type { TransferFormat } from "../formats/TransferFormat.ts"
import * as AtomicFile from "./AtomicFile.ts"
import * as Spool from "./Spool.ts"

/** What to write. */
export interface ExportOptions {
  readonly path: string
  readonly format: TransferFormat
  readonly csvRaw: boolean
  /** Whether the shapes of the amounts are wanted too; for Parquet they always are. */
  readonly measure: boolean
}

/** What has been written. */
export interface Written {
  readonly summary: Summary.Summary
  readonly bytes: number
  readonly sha256: string
  /** Empty unless they were asked for. */
  readonly shapes: DecimalWidth.Shapes
}

type Failure = FileError | MalformedResponse

/** Writes all of a spool to a file, in the place of one that is there. */
export const write = Effect.fn("ExportFile.write")(function* (spool: Spool.Spool, options: ExportOptions) {
  const shapes = options.measure || options.format === "parquet" ? yield* measure(spool) : new Map()
  const hash = createHash("sha256")
  let bytes = 0
  const summary = yield* AtomicFile.write(options.path, (append) => {
    const put = (data: string | Uint8Array): Effect.Effect<void, FileError> => {
      hash.update(data)
      bytes += typeof data === "string" ? Buffer.byteLength(data) : data.length
      return append(data)
    }
    return options.format === "parquet"
      ? writeParquet(spool, shapes, put)
      : writeText(spool, TransferEncoder.make(options.format, options), put)
  })
  const written: Written = { summary, bytes, sha256: hash.digest("hex"), shapes }
  return written
})

const measure = (spool: Spool.Spool): Effect.Effect<DecimalWidth.Shapes, Failure> =>
  Effect.suspend(() => {
    const shapes = new Map<string, DecimalWidth.Shape>()
    return Effect.as(
      Stream.runForEach(Spool.sorted(spool), (batch) => Effect.sync(() => DecimalWidth.widen(shapes, batch))),
      shapes,
    )
  })

const totalled = (batches: Stream.Stream<ReadonlyArray<Transfer>, Failure>): Effect.Effect<Summary.Summary, Failure> =>
  Stream.run(
    Stream.flatMap(batches, (batch) => Stream.fromIterable(batch)),
    Summary.sink({ by: [] }),
  )

const writeText = Effect.fnUntraced(function* (
  spool: Spool.Spool,
  encoder: TransferEncoder.TransferEncoder,
  put: AtomicFile.Append,
) {
  let isFirst = true
  yield* put(encoder.open)
  const summary = yield* totalled(
    Stream.tap(Spool.sorted(spool), (batch) => {
      const text = encoder.batch(batch, isFirst)
      isFirst = false
      return put(text)
    }),
  )
  yield* put(encoder.close)
  return summary
})

const writeParquet = Effect.fnUntraced(function* (
  spool: Spool.Spool,
  shapes: DecimalWidth.Shapes,
  put: AtomicFile.Append,
) {
  const encoder = new ParquetEncoder.ParquetEncoder(shapes)
  const summary = yield* totalled(Stream.tap(Spool.sorted(spool), (batch) => put(encoder.add(batch))))
  yield* put(encoder.close())
  return summary
})
