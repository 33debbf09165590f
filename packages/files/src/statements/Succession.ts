/** The statements of an account in a file: each begins with the balance with which the one before it ends. */
import * as Statement from "./Statement.ts"

/** The balances of a whole statement, in units of 10⁻¹⁸. */
export interface Balances {
  readonly opening: bigint
  readonly closing: bigint
  /** What no other statement of its account has, such as its number and day. None if it is not known, or has no entries. */
  readonly name?: string | undefined
}

interface Last extends Balances {
  /** Whether the file may have the oldest statement first, and whether the newest. */
  readonly isForward: boolean
  readonly isBackward: boolean
}

/** Remembers the last statement of each account. */
export class Succession {
  readonly #last = new Map<string, Last>()
  /** The names of statements that change no balance. Every other one that is there twice fails to follow itself. */
  readonly #level = new Set<string>()

  /** Why a statement neither follows nor precedes the one of its account that was read before it, as a clause. */
  add(account: string, { opening, closing, name }: Balances): string | undefined {
    if (opening === closing && name !== undefined) {
      const key = `${account} ${name}`
      if (this.#level.has(key)) return "a statement above it has the same account, number and day. Is it there twice?"
      this.#level.add(key)
    }
    const last = this.#last.get(account) ?? { opening: closing, closing: opening, isForward: true, isBackward: true }
    const isForward = last.isForward && opening === last.closing
    const isBackward = last.isBackward && closing === last.opening
    this.#last.set(account, { opening, closing, isForward, isBackward })
    if (isForward || isBackward) return undefined
    const texts = [opening, last.closing].map(Statement.toText)
    return `it opens with ${texts[0]}, but the statement of its account above it closes with ${texts[1]}. Is one between them missing, or one there twice? Export the statement with all days, or each part as a file of its own`
  }
}
