/** Examines a mirror that is to be read: whether it opens, what its role may do, its clock, and how fresh it is. */
import { statSync } from "node:fs"
import { duration } from "@transferkit/domain/Quantity"
import * as Effect from "effect/Effect"
import * as ClockCheck from "./internal/ClockCheck.ts"
import * as Driver from "./internal/Driver.ts"
import * as PrivilegedRole from "./internal/PrivilegedRole.ts"
import * as MirrorStatus from "./MirrorStatus.ts"
import { TransferMirror } from "./TransferMirror.ts"

/** The outcome of a check. */
export interface Check {
  readonly check: string
  readonly verdict: "ok" | "warning" | "failed"
  readonly found: string
  /** What to do; empty if there is nothing to do. */
  readonly advice: string
}

const ok = (check: string, found: string): Check => ({ check, verdict: "ok", found, advice: "" })
const warning = (check: string, found: string, advice: string): Check => ({ check, verdict: "warning", found, advice })

/**
 * All checks of a mirror, or the first if it cannot be opened.
 *
 * @example
 * (await Effect.runPromise(MirrorCheck.check("sqlite:no-such.db")))[0].verdict // => "failed"
 */
export const check = (address: string): Effect.Effect<ReadonlyArray<Check>> =>
  Effect.gen(function* () {
    const mirror = yield* TransferMirror
    const checks = [ok("mirror", mirror.address), yield* role, yield* clock]
    return [...checks, ...(yield* freshness)]
  }).pipe(
    Effect.provide(TransferMirror.layer(address, { readOnly: true })),
    Effect.catch((error) =>
      Effect.succeed<ReadonlyArray<Check>>([
        {
          check: "mirror",
          verdict: "failed",
          found: error.message,
          advice:
            "Check the address, that the database runs, and that its role was granted what sql/reader-role.sql grants.",
        },
      ]),
    ),
  )

interface Rights {
  readonly name: string
  readonly is_privileged: boolean
  readonly can_write: boolean
  readonly timeout: string
}

const reader = "connect as a role that can only read, made by sql/reader-role.sql"

/** What the role may do. A read-only transaction prevents most writes, but not all of a superuser's. */
const role = Effect.gen(function* () {
  const mirror = yield* TransferMirror
  const { address } = mirror
  if (address.startsWith("sqlite:")) return ofFile(address.slice("sqlite:".length))
  const [found] = yield* Driver.of(mirror).run(
    (sql) =>
      sql<Rights>`SELECT session_user AS name, current_setting('statement_timeout') AS timeout,
        ${sql.literal(PrivilegedRole.condition)} AS is_privileged,
        has_table_privilege('mirrored_transfers', 'INSERT, UPDATE, DELETE, TRUNCATE') AS can_write`,
  )
  if (found === undefined) return warning("role", "it is not known", `To query, ${reader}.`)
  const { name, is_privileged, can_write, timeout } = found
  if (is_privileged)
    return warning("role", `${name} can write files and run programs of the database's machine`, `To query, ${reader}.`)
  if (can_write)
    return warning("role", `${name} can change the mirror`, `To sync it, that is right. To query, ${reader}.`)
  if (timeout === "0") {
    return warning(
      "role",
      `${name} can only read, without a time limit`,
      `ALTER ROLE ${name} SET statement_timeout = '5min';`,
    )
  }
  return ok("role", `${name} can only read, for ${timeout} at the most`)
})

/** Groups and others may read none of it, nor of what is not yet in it. */
const ofFile = (file: string): Check => {
  const modeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.mode ?? 0
  const shown = (modeOf(file) & 0o777).toString(8).padStart(4, "0")
  if ((modeOf(file) & 0o077) === 0) return ok("role", `only its owner may read the file (mode ${shown})`)
  const open = [file, `${file}-wal`, `${file}-shm`].filter((path) => (modeOf(path) & 0o077) !== 0)
  return warning("role", `others may read the file (mode ${shown})`, `If they should not: chmod 600 ${open.join(" ")}`)
}

const clock = Effect.map(ClockCheck.warnings, ([found]) =>
  found === undefined
    ? ok("clock", "it is not behind the history")
    : warning(
        "clock",
        found.message,
        "Set the clock if it is wrong, then run transfers sync by a right clock: until then, what syncs have read by a clock that was ahead is not claimed.",
      ),
)

const freshness = Effect.map(MirrorStatus.read(), (partners): ReadonlyArray<Check> => {
  if (partners.length === 0) return [warning("freshness", "it has no partner", "Run transfers sync first.")]
  return partners.map((one) => {
    const found = MirrorStatus.describe(one)
    if (one.complete_until === undefined) return warning("freshness", found, "Run transfers sync until it ends.")
    return one.missed === 0
      ? ok("freshness", found)
      : warning("freshness", found, `Run transfers sync --verify, and look back more than ${duration(one.look_back)}.`)
  })
})
