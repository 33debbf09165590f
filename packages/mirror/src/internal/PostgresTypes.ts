/** Values of PostgreSQL as they are: the driver knows no instant that a `Date` cannot be. */
import * as PgTypes from "@effect/sql-pg/PgTypes"
import * as Result from "effect/Result"

/** Years of the calendar repeat after 400, so these have as many days wherever they are. */
const cycle = { years: 40_000, milliseconds: 100n * 146_097n * 86_400_000n }

const epoch = BigInt(Date.UTC(2000, 0, 1))
const endless: ReadonlyMap<bigint, string> = new Map([
  [2n ** 63n - 1n, "infinity"],
  [-(2n ** 63n), "-infinity"],
])

const instantOf = (bytes: Uint8Array): Date | string => {
  const micros = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getBigInt64(0)
  const named = endless.get(micros)
  if (named !== undefined) return named
  const milliseconds = (micros - (((micros % 1000n) + 1000n) % 1000n)) / 1000n + epoch
  const date = new Date(Number(milliseconds))
  if (!Number.isNaN(date.getTime())) return date
  const earlier = new Date(Number(milliseconds - cycle.milliseconds)).toISOString()
  return earlier.replace(/^\+\d+/, (year) => `+${Number(year) + cycle.years}`)
}

const instant: PgTypes.Codec<Date | string> = {
  decode: (bytes) => Result.succeed(instantOf(bytes)),
  encode: (value) =>
    Result.fail(new PgTypes.CodecError({ message: `an instant is given as a text, not as ${typeof value}` })),
}

/** What the driver reads values by. */
export const registry = PgTypes.makeRegistry()
registry.register(1114, instant, { arrayOid: 1115 })
registry.register(1184, instant, { arrayOid: 1185 })
