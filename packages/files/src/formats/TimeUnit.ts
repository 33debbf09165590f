/** The unit of each column of times in Parquet: the coarsest that keeps every digit and holds every year. */
import type { Transfer } from "@transferkit/domain/Transfer"
import * as TransferColumns from "./TransferColumns.ts"

/** A unit, or `TEXT` if a column has nanoseconds and also a time that 64 bits of them cannot hold. */
export type TimeUnit = "MICROS" | "NANOS" | "TEXT"

/** Units by column name. A column without times is absent. */
export type TimeUnits = ReadonlyMap<string, TimeUnit>

/** What times need of a unit. */
export interface TimeNeeds {
  readonly nanoseconds: boolean
  /** Whether one of them is before 1677 or after 2262. */
  readonly isFar: boolean
}

const farNanoseconds = 2n ** 63n

/** Adds to `needs` those of the times of some transfers. */
export const add = (needs: Map<string, TimeNeeds>, transfers: ReadonlyArray<Transfer>): void => {
  for (const transfer of transfers) {
    for (const { name, instant } of timeColumns) {
      const at = instant?.(transfer)
      if (at === undefined) continue
      const known = needs.get(name)
      const nanoseconds = known?.nanoseconds === true || at % 1000n !== 0n
      const isFar = known?.isFar === true || at >= farNanoseconds || at < -farNanoseconds
      if (nanoseconds !== known?.nanoseconds || isFar !== known.isFar) needs.set(name, { nanoseconds, isFar })
    }
  }
}

const timeColumns = TransferColumns.flat.filter((column) => column.kind === "timestamp")

/** The units that meet some needs. */
export const unitsOf = (needs: ReadonlyMap<string, TimeNeeds>): TimeUnits =>
  new Map(
    [...needs].map(([name, { nanoseconds, isFar }]) => [name, nanoseconds ? (isFar ? "TEXT" : "NANOS") : "MICROS"]),
  )
