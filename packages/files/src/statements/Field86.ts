/** The references that German and Dutch banks write in field 86 of MT940, which is for the owner of the account. */
import type * as Statement from "./Statement.ts"

/** The code words of German banks, each at the beginning of a subfield or of a word. */
const german = /(?<=^|[\n ])(?=(?:EREF|KREF|MREF|CRED|DEBT|SVWZ|ABWA|ABWE|IBAN|BIC|COAM|OAMT|PURP)\+)/

/** The code words of Dutch banks. Other texts between slashes are part of a reference, as in `/EREF/shop/ABC/17`. */
const dutch =
  /\/(?=(?:ADDR|BENM|BIC|BUSP|CNTP|CREF|CSID|EREF|IBAN|IREF|ISDT|MARF|NAME|NRTX|ORDP|PREF|PURP|REMI|RTRN|SVCL|TRCD|TRTP|TYPE|ULTC|ULTD)\/)/

/** Subfields follow a code of three digits, if any: other text may hold `?20`, and begin with digits, too. */
const hasSubfields = /^(?:[0-9]{3})?([?<~])[0-9]{2}/

const subfieldMarks: ReadonlyMap<string | undefined, RegExp> = new Map([
  ["?", /\?(?=[0-9]{2})/],
  ["<", /<(?=[0-9]{2})/],
  ["~", /~(?=[0-9]{2})/],
])

/** A line of 65 characters is full, so that what follows may be the rest of a word. */
const unwrapped = (text: string): string =>
  text
    .split("\n")
    .map((line) => (line.length >= 65 ? line : `${line} `))
    .join("")
    .trimEnd()

/**
 * The references of field 86: in German subfields (`?20EREF+…`), which Polish banks begin with other characters, or in
 * Dutch code words (`/EREF/…`).
 */
export const referencesOf = (text: string): Pick<Statement.Transaction, "EndToEndId" | "Ustrd"> => {
  const joined = text.replaceAll("\n", "")
  const mark = subfieldMarks.get(hasSubfields.exec(joined)?.[1])
  const subfields = mark === undefined ? [] : joined.split(mark).slice(1)
  const purposes = subfields.filter((part) => /^[26]/.test(part)).map((part) => part.slice(2))
  const parts =
    purposes.length === 0
      ? joined.split(dutch)
      : purposes
          .join("\n")
          .split(german)
          .map((part) => part.replaceAll("\n", ""))
  const all = (code: string) =>
    parts
      .filter((part) => part.startsWith(`${code}+`) || part.startsWith(`${code}/`))
      .map((part) => part.slice(code.length + 1))
  // One of several may be what the payer wrote. ING ends each value with a slash of its own.
  const [key, ...others] = new Set(all("EREF").map((value) => value.replace(/\/$/, "")))
  const [purpose = all("REMI")[0]] = all("SVWZ")
  return {
    EndToEndId: others.length === 0 ? key : undefined,
    Ustrd: purpose ?? (purposes.length === 0 ? unwrapped(text) : purposes.join("")),
  }
}
