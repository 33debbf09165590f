/** Errors of the database as those of a mirror, with its reason and whether another attempt may succeed. */
import * as Effect from "effect/Effect"
import { ConnectionError, isSqlError, SqlError, UnknownError } from "effect/sql/SqlError"
import { MirrorError } from "../MirrorError.ts"

/** A retry may succeed if the database is down, or held up by others. */
const kindOf = ({ reason }: SqlError): MirrorError["kind"] =>
  // The driver reports it as a connection that was lost, but the next attempt gets the same message.
  messageBytes(reason.cause) === undefined &&
  (reason._tag === "ConnectionError" ||
    (reason.isRetryable && reason._tag !== "UnknownError") ||
    isClosed(reason.cause) ||
    isAway(reason.cause))
    ? "unavailable"
    : "rejected"

/** Effect does not know these codes: shut down, crashed, starting or shutting down, idle for too long, no connection left. */
const awayCodes: ReadonlySet<unknown> = new Set(["57P01", "57P02", "57P03", "57P05", "53300"])

/** Whether PostgreSQL reports that it is down. */
const isAway = (cause: unknown): boolean => cause instanceof Error && "code" in cause && awayCodes.has(cause.code)

/** Whether the driver reports a connection that ended while it was in use. */
const isClosed = (cause: unknown): boolean =>
  cause instanceof Error && /connection (?:is )?(?:closed|terminated|ended)|terminating connection/i.test(cause.message)

/** The length of a message of PostgreSQL that the driver does not read: it reads 16 MiB, and a row is one message. */
const messageBytes = (cause: unknown): string | undefined =>
  cause instanceof Error ? /^Message length ([0-9]+) exceeds maxMessageSize/.exec(cause.message)?.[1] : undefined

/** The most characters of what a database says. */
const mostShown = 2000

/** What a database says, as it may be shown. It may echo what it was sent, and repeat megabytes. */
const shown = (text: string, redact: Redact): string => {
  // More of it, for a secret that the cut would go through.
  const redacted = redact(text.slice(0, 2 * mostShown)).replace(/\.$/, "")
  return redacted.length > mostShown ? `${redacted.slice(0, mostShown)}…` : redacted
}

/** Takes the secrets of an address out of a text. */
export type Redact = (text: string) => string

const asItIs: Redact = (text) => text

/** Whether SQLite found a page that it cannot have written. Of its codes, the lowest byte is the class. */
const isCorrupt = (cause: unknown): boolean =>
  cause instanceof Error && "errcode" in cause && (Number(cause.errcode) & 0xff) === 11

const errorOf = (mirror: string, redact: Redact, error: SqlError): MirrorError => {
  const { cause } = error.reason
  const bytes = messageBytes(cause)
  const reason =
    bytes === undefined
      ? shown(cause instanceof Error ? cause.message : error.message, redact)
      : `PostgreSQL sent a message of ${bytes} bytes, and one, such as a row, may have 16 MiB. Ask for fewer columns, or parts of the values with substr`
  return new MirrorError({
    kind: kindOf(error),
    mirror,
    reason: isCorrupt(cause) ? `the file is damaged (${reason}): sync into a new file, or restore a copy` : reason,
  })
}

/** Names of schemas and roles are texts of the database, too. */
const redacted = <E>(error: E, redact: Redact): E | MirrorError =>
  error instanceof MirrorError
    ? new MirrorError({
        ...error,
        reason: shown(error.reason, redact),
        ...(error.details === undefined ? {} : { details: redact(error.details) }),
      })
    : error

/** Whether the key of an inserted row was there. */
export const isThere = ({ reason }: SqlError): boolean => reason._tag === "UniqueViolation"

/** An error of the database that names a row that was edited by hand. */
export const damaged = (table: string, key: Readonly<Record<string, string>>, reason: string): SqlError => {
  const named = Object.entries(key).map(([name, value]) => `${name} ${JSON.stringify(String(value))}`)
  const message = `the row of ${table} with ${named.join(" and ")} ${reason}`
  return new SqlError({ reason: new UnknownError({ cause: new Error(message), message, operation: "read" }) })
}

/** A defect of what uses the database, which was away. */
export const away = (defect: unknown): SqlError =>
  new SqlError({ reason: new ConnectionError({ cause: defect instanceof Error ? defect : new Error(String(defect)) }) })

/** Replaces errors of the database, and defects that are a lost connection. Others stay as they are. */
export const translate =
  (mirror: string, redact: Redact = asItIs) =>
  <A, E, R>(body: Effect.Effect<A, E, R>): Effect.Effect<A, Exclude<E, SqlError> | MirrorError, R> =>
    body.pipe(
      Effect.catchDefect((defect) =>
        isSqlError(defect) || isClosed(defect)
          ? Effect.fail(
              isSqlError(defect)
                ? errorOf(mirror, redact, defect)
                : new MirrorError({
                    kind: "unavailable",
                    mirror,
                    reason: shown((defect as Error).message, redact),
                  }),
            )
          : Effect.die(defect),
      ),
      Effect.mapError((error) =>
        isSqlError(error) ? errorOf(mirror, redact, error) : redacted(error as Exclude<E, SqlError>, redact),
      ),
    )
