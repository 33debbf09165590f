/** The status of a stored transfer over time: approved after a minute, settled ten minutes later. */
import * as Timestamp from "@transferkit/domain/Timestamp"
import { below, hashText } from "../../Draw.ts"
import { cryptoAssets } from "../generator/Assets.ts"
import * as AsciiWriter from "../generator/bytes/AsciiWriter.ts"
import { writeTransactionId } from "../generator/bytes/ByteWriters.ts"

const minute = 60_000_000

/** How long a transfer has each status, in microseconds. Other statuses are final. */
export const timeIn: ReadonlyMap<string, number> = new Map([
  ["executing", minute],
  ["approved", 10 * minute],
])

/** The fields of a transfer that change with its status. */
export interface Alive {
  readonly id: string
  readonly status: string
  readonly created_at: string
  readonly updated_at?: string | null
  readonly network_transaction_id?: string | null
}

/** The transfer in its next status; one in twelve is declined. Its other fields are kept. */
export const next = (wire: Alive): Alive => {
  const key = hashText(wire.id)
  const status = wire.status === "executing" ? "approved" : below(key, 43, 12) === 0 ? "declined" : "complete"
  const isNew = status === "complete" && (wire.network_transaction_id ?? undefined) === undefined
  return {
    ...wire,
    status,
    updated_at: later(wire.updated_at ?? wire.created_at, timeIn.get(wire.status) ?? 0),
    ...(isNew && { network_transaction_id: transactionId(wire, key) }),
  }
}

const writer = AsciiWriter.make()

const transactionId = (wire: Alive, key: number): string => {
  const place = AsciiWriter.start(writer, 100)
  writeTransactionId(writer, formOf(wire), { key, first: 200 })
  return AsciiWriter.text(writer, place)
}

const later = (text: string, micros: number): string => {
  const then = Timestamp.parseUnsafe(text).epochNanoseconds + BigInt(micros) * 1000n
  const { latest } = Timestamp
  return then > latest.epochNanoseconds ? latest.text : Timestamp.fromEpochNanoseconds(then).text
}

/** The format of the network of the crypto side; Ethereum's if it is not known. */
const formOf = (wire: object) => {
  for (const field of ["destination_total", "source_total"]) {
    const code = codeOf(Reflect.get(wire, field))
    const asset = cryptoAssets.find(({ currency_code }) => currency_code === code)
    if (asset !== undefined) return asset.form
  }
  return "evm"
}

const codeOf = (money: unknown): unknown =>
  typeof money === "object" && money !== null ? Reflect.get(money, "currency_code") : undefined
