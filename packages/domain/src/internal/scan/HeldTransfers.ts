/** How much the windows under way may hold in memory: a window's transfers are kept until it is complete. */
import * as Excess from "../wire/Excess.ts"
import { isSecond } from "./Coverage.ts"
import { lot, type Reading } from "./Reading.ts"

/**
 * A window may hold this many times what is aimed at most, and more as long as all of them hold less than `allHeld`. To
 * read on costs less than to read again what a window that is given up held, but with many windows all others wait for
 * the one that reads a burst alone: so it is `leastOverrun`, or up to twice that if the share of each is larger.
 */
const leastOverrun = 4
const inOrder = 128
const withoutOrder = 32
const allHeld = 12

export class HeldTransfers {
  readonly #readings: ReadonlySet<Reading>
  readonly #concurrency: number
  /** Transfers of single seconds to hold: all windows together, or one of them alone. */
  readonly #mostInSecond: number

  constructor(readings: ReadonlySet<Reading>, limits: { readonly concurrency: number; readonly mostInSecond: number }) {
    this.#readings = readings
    this.#concurrency = limits.concurrency
    this.#mostInSecond = limits.mostInSecond
  }

  /** Whether a window of several seconds holds too much, if it is to hold this many lots. */
  isTooMuch({ times, front }: Reading, mostLots: number): boolean {
    if (this.#sum(({ span }) => !isSecond(span), excessOf) > Excess.most) return true
    const share = (front === undefined ? withoutOrder : inOrder) / this.#concurrency
    const overrun = Math.max(leastOverrun, Math.min(2 * leastOverrun, share))
    const window = mostLots * lot
    return times.length >= overrun * window && this.#sum(() => true, countOf) >= allHeld * window
  }

  /** A second that was given up because there was no room for it is not read again before there is some. */
  get hasRoomForSecond(): boolean {
    return this.#fits(2)
  }

  /** A second cannot be cut. Those that do not fit in memory together are read one after the other, the largest first. */
  isCrowdedOut(reading: Reading): boolean {
    if (this.#fits(1)) return false
    for (const other of this.#readings) {
      if (other !== reading && isSecond(other.span) && this.#room(other) >= this.#room(reading)) return true
    }
    return false
  }

  /** The share of the room for seconds that one takes. */
  #room({ times, excess }: Reading): number {
    return Math.max(times.length / this.#mostInSecond, excess / Excess.most)
  }

  /** Whether the seconds would fit if there were this many times what there is of them. */
  #fits(times: number): boolean {
    const inSeconds = ({ span }: Reading) => isSecond(span)
    return (
      this.#sum(inSeconds, countOf) * times <= this.#mostInSecond &&
      this.#sum(inSeconds, excessOf) * times <= Excess.most
    )
  }

  #sum(isMeant: (reading: Reading) => boolean, of: (reading: Reading) => number): number {
    let sum = 0
    for (const reading of this.#readings) if (isMeant(reading)) sum += of(reading)
    return sum
  }
}

const countOf = ({ times }: Reading): number => times.length
const excessOf = ({ excess }: Reading): number => excess
