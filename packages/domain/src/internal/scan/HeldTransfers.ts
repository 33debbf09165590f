/** How much the windows under way may hold in memory: a window's transfers are kept until it is complete. */
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
    const share = (front === undefined ? withoutOrder : inOrder) / this.#concurrency
    const overrun = Math.max(leastOverrun, Math.min(2 * leastOverrun, share))
    const window = mostLots * lot
    return times.length >= overrun * window && this.#sum(() => true) >= allHeld * window
  }

  /** A second that was given up because there was no room for it is not read again before there is some. */
  get hasRoomForSecond(): boolean {
    return this.#inSeconds() * 2 <= this.#mostInSecond
  }

  /** A second cannot be cut. Those that do not fit in memory together are read one after the other, the largest first. */
  isCrowdedOut(reading: Reading): boolean {
    if (this.#inSeconds() <= this.#mostInSecond) return false
    for (const other of this.#readings) {
      if (other !== reading && isSecond(other.span) && other.times.length >= reading.times.length) return true
    }
    return false
  }

  #inSeconds(): number {
    return this.#sum(({ span }) => isSecond(span))
  }

  #sum(of: (reading: Reading) => boolean): number {
    let sum = 0
    for (const reading of this.#readings) if (of(reading)) sum += reading.times.length
    return sum
  }
}
