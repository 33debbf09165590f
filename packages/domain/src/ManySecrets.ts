/** Secrets by the thousand, in texts that others wrote: all of them are found in one pass. */
import * as ManyNeedles from "./internal/secrets/ManyNeedles.ts"
import * as Redaction from "./internal/secrets/Redaction.ts"

/**
 * Secrets that are taken out of texts. Mutable: more can be added, also thousands.
 *
 * @example
 * const held = ManySecrets.redactor()
 * held.add(["s3cret"])
 * held.redact("key=s3cret") // => "key=<redacted>"
 */
export interface Redactor {
  readonly add: (secrets: ReadonlyArray<string>) => void
  /** Takes time and memory in proportion to the text. */
  readonly redact: (text: string) => string
}

/**
 * A redactor of some secrets, to which more can be added. It finds what `SecretText.redacting` does.
 *
 * @example
 * ManySecrets.redactor(["s3cret"]).redact("key=s3cret") // => "key=<redacted>"
 */
export const redactor = (initial: ReadonlyArray<string> = []): Redactor => {
  const made = Redaction.make(ManyNeedles.make())
  made.add(initial)
  return made
}
