/**
 * Which window to read next, and when to give one up so that several can share its transfers. All of it is estimated
 * from the transfers seen so far: a wrong estimate costs requests and time, never a transfer (see `Coverage.ts`).
 */
import type { Coverage, Span } from "./Coverage.ts"
import * as Density from "./Density.ts"
import { ListingOrder } from "./ListingOrder.ts"
import * as Sample from "./Sample.ts"

/** A window that is being read. */
export interface Reading {
  readonly span: Span
  /** It was never cut: its first page may well be its last. */
  readonly isWhole: boolean
  /** The sample that it was cut by, if it was. */
  readonly part: Sample.Part | undefined
  /** Transfers that were expected of it, and whether that was more than a guess. */
  readonly expected: number
  readonly isSure: boolean
  /** When its transfers so far were created, in seconds. */
  readonly times: Array<number>
  /** Of those, how many were looked at, a lot at a time. */
  lots: number
  looked: number
  lastLot: ReadonlyArray<number> | undefined
  /** How far its pages have advanced, if they follow the order of creation. */
  front: Density.Sighting | undefined
}

/** Transfers that are looked at together: those of a full page, or of several small ones. */
const lot = 20
/** Lots of a whole range that are read before it is cut: a result that fits in them costs no additional request. */
const lotsBeforeCut = 3
/** Lots to aim at in a window at the least. */
const fewestLots = 3
/** A window may hold this many times what is aimed at most, and more as long as all of them hold less than `allHeld`. */
const overrun = 4
const allHeld = 12
/** Windows that each of several workers should still get: large ones first, small ones in the end. */
const rounds = 4
/** A window has this many times what was read or aimed at left: it is better cut. */
const misjudged = 3
/** This many times the transfers expected came: the expectation was wrong. */
const surprise = 5
/** First guess at how many times larger a population is than its first sample. */
const unseen = 8
/** A window is opened whole if at least this share of it was to be opened. */
const nearlyWhole = 2 / 3

/** Before this there were no crypto networks: a guess at where a range without a lower bound begins. */
const genesis = Date.UTC(2009, 0, 3) / 1000

/** What a scan may take of the service and of memory. */
export interface Limits {
  readonly concurrency: number
  readonly windowSize: number
  readonly mostInSecond: number
}

export class WindowScheduler {
  readonly #coverage: Coverage
  /** Windows that may be read at once. */
  readonly #concurrency: number
  /** Transfers of single seconds to hold: all windows together, or one of them alone. */
  readonly #mostInSecond: number
  readonly #whole: WeakSet<Span>
  readonly #parts = new WeakMap<Span, Sample.Part>()
  readonly #readings = new Set<Reading>()
  readonly #below = new Density.Sightings("later")
  readonly #above = new Density.Sightings("earlier")
  readonly #order = new ListingOrder()
  #mostLots: number
  #pages = 0

  constructor(coverage: Coverage, { concurrency, windowSize, mostInSecond }: Limits) {
    this.#coverage = coverage
    this.#mostInSecond = mostInSecond
    this.#concurrency = concurrency
    this.#mostLots = Math.floor(windowSize / lot)
    this.#whole = new WeakSet(coverage.gaps)
  }

  /** Transfers that are still to be expected. */
  get expected(): number {
    let sum = 0
    for (const gap of this.#coverage.gaps) sum += this.#expectedIn(gap)
    for (const reading of this.#readings) sum += this.#rest(reading)
    return sum
  }

  // -------------------------------------------------------------------------------------------------- opening

  /** Opens the next window, if one more should be read now. */
  open(): Reading | undefined {
    const { gaps, windows } = this.#coverage
    // Slow start: a short result is not worth many windows.
    const allowed = Math.min(this.#concurrency, Math.max(1, this.#pages))
    if (windows.size >= allowed) return undefined
    // A second that was given up because there was no room for it is not read again before there is some.
    const hasRoom = this.#heldInSeconds() * 2 <= this.#mostInSecond
    let best: Span | undefined
    let most = -1
    for (const gap of gaps) {
      if (!hasRoom && isSecond(gap)) continue
      // Surprises are better met early: what is not known comes first, then what is largest.
      const weight = this.#expectedIn(gap) + (this.#isSure(gap) ? 0 : Number.MAX_SAFE_INTEGER)
      if (weight > most) [best, most] = [gap, weight]
    }
    return best === undefined ? undefined : this.#open(best)
  }

  #open(gap: Span): Reading {
    const part = this.#parts.get(gap)
    const isWhole = this.#whole.has(gap)
    const share = isWhole ? 1 : this.#shareToOpen(gap, part)
    const isCut = share < nearlyWhole
    const { window, rest } = this.#coverage.open(gap, isCut ? this.#cutOff(gap, part, share) : gap)
    if (part !== undefined) {
      this.#parts.set(window, rest.length === 0 ? part : Sample.within(part, window, part.share * share))
      for (const left of rest) this.#parts.set(left, Sample.within(part, left, part.share * (1 - share)))
    }
    const reading: Reading = {
      span: window,
      isWhole,
      part: this.#parts.get(window),
      expected: this.#expectedIn(window),
      isSure: isWhole || this.#isSure(window),
      times: [],
      lots: 0,
      looked: 0,
      lastLot: undefined,
      front: undefined,
    }
    this.#readings.add(reading)
    return reading
  }

  /** The share of a gap's transfers that makes a window of the lots aimed at. */
  #shareToOpen(gap: Span, part: Sample.Part | undefined): number {
    // A pilot, to find out how large the population is.
    if (part?.population.isKnown === false) return 1 / unseen / part.share
    return (Math.ceil(this.#aim()) * lot) / this.#expectedIn(gap)
  }

  /** The interval that holds such a share: at the denser end of the gap, of which more is known. */
  #cutOff(gap: Span, part: Sample.Part | undefined, share: number): Span {
    if (part !== undefined) return { from: gap.from, to: Math.min(gap.to - 1, Sample.quantile(part, gap, share)) }
    const [below, above] = this.#around(gap)
    const width = gap.to - likelyFrom(gap)
    if (Density.isEven(below, above)) return atEnd(gap, this.#order.direction < 0, width * share)
    const isAbove = above !== undefined && (below === undefined || above.rate > below.rate)
    const dense = isAbove ? above : below
    if (dense === undefined) return gap
    const reach = Density.reach(dense, isAbove ? gap.to : gap.from, share * this.#expectedIn(gap))
    return reach < width * nearlyWhole ? atEnd(gap, isAbove, reach) : gap
  }

  /** Lots to aim at in a window: guided self-scheduling. */
  #aim(): number {
    const windows = 1 + (this.#concurrency - 1) * rounds
    return Math.min(this.#mostLots, Math.max(fewestLots, this.expected / lot / windows))
  }

  // -------------------------------------------------------------------------------------------------- reading

  /** A page of the window came: `times` are the seconds in which its transfers were created. */
  page(reading: Reading, times: ReadonlyArray<number>): void {
    this.#pages++
    for (const time of times) reading.times.push(time)
    if (reading.times.length - reading.looked < 0.8 * lot) return
    const seen = reading.times.slice(reading.looked).sort(ascending)
    reading.looked = reading.times.length
    reading.lots++
    // The first lots of a window say little if transfers are listed by a time that is only near creation.
    const isTelling = reading.isWhole || reading.lots > 2
    if (reading.lastLot !== undefined && isTelling) this.#order.compare(reading.lastLot, seen)
    reading.lastLot = seen
    this.#advance(reading, seen)
  }

  #advance(reading: Reading, seen: ReadonlyArray<number>): void {
    const { span, front, isWhole, lots } = reading
    const { direction } = this.#order
    // The middle half: single transfers may be out of place.
    const quarter = Math.floor(seen.length / 4)
    const middle = seen.slice(quarter, seen.length - quarter)
    const low = middle[0] ?? span.from
    const high = middle.at(-1) ?? span.to
    const at = direction < 0 ? low : high
    const isScattered = !isWhole && (high - low) * 4 > span.to - likelyFrom(span)
    const hasTurned = front !== undefined && (at - front.at) * direction < 0
    if (direction === 0 || isScattered || hasTurned) {
      reading.front = undefined
      return
    }
    const [ahead, behind] = this.#sides()
    const begin = direction < 0 ? span.to : span.from
    // Over the way from one front to the next: transfers of the same minute say nothing about the hours after it.
    const here =
      front === undefined
        ? Density.sighting(at, middle.length - 1, high - low)
        : Density.sighting(at, seen.length, Math.abs(at - front.at))
    // A whole range may begin with a long time of nothing.
    const isOnItsWay = front !== undefined && !isWhole
    const way = Density.sighting(at, reading.times.length, Math.abs(at - begin))
    reading.front = Density.prolong(isOnItsWay ? Density.steadied(here, way) : here, front ?? ahead.nearest(begin))
    if (lots > 1) return
    behind.add(Density.sighting(begin, middle.length, direction < 0 ? begin - low : high - begin))
    ahead.add(reading.front)
  }

  /** The listing of the window was read to its end. */
  complete(reading: Reading): void {
    const { span, part, times } = reading
    this.#readings.delete(reading)
    part?.population.count(times.length, part.share)
    const sorted = times.toSorted(ascending)
    const { from, to } = span
    const width = to - likelyFrom(span)
    const count = Math.min(lot, sorted.length)
    const first = sorted[count - 1]
    const last = sorted[sorted.length - count]
    this.#above.add(
      first === undefined ? Density.sighting(from, 0.5, width) : Density.sighting(from, count, first - from),
    )
    this.#below.add(last === undefined ? Density.sighting(to, 0.5, width) : Density.sighting(to, count, to - last))
  }

  /** Whether it is better to give the window up, and what was read of it, than to go on. */
  isWorthGivingUp(reading: Reading): boolean {
    const { span, lots, times, front, isWhole, isSure } = reading
    if (isSecond(span)) return this.#isCrowdedOut(reading)
    // What is held in memory is bounded.
    if (times.length >= overrun * this.#mostLots * lot && this.#held() >= allHeld * this.#mostLots * lot) return true
    if (lots < (isWhole ? lotsBeforeCut : 1)) return false
    // One worker gains nothing by a cut, but its results must not wait for ever.
    if (isWhole && front === undefined) return this.#concurrency > 1 || lots >= this.#mostLots
    // The first lot is a sample of a population of unknown size.
    if (lots === 1 && front === undefined && !isSure && !this.#isSure(span)) return true
    const rest = this.#rest(reading) / lot
    if (isWhole && lots >= this.#mostLots && rest > this.#mostLots) return true
    return rest > misjudged * lots && rest > misjudged * this.#aim()
  }

  /** A second cannot be cut. Those that do not fit in memory together are read one after the other, the largest first. */
  #isCrowdedOut(reading: Reading): boolean {
    if (this.#heldInSeconds() <= this.#mostInSecond) return false
    for (const other of this.#readings) {
      if (other !== reading && isSecond(other.span) && other.times.length >= reading.times.length) return true
    }
    return false
  }

  /** Transfers of all windows that are being read. */
  #held(): number {
    let sum = 0
    for (const { times } of this.#readings) sum += times.length
    return sum
  }

  #heldInSeconds(): number {
    let sum = 0
    for (const { span, times } of this.#readings) if (isSecond(span)) sum += times.length
    return sum
  }

  /** Gives the window up, cut so that its parts can be read at once. */
  giveUp(reading: Reading): void {
    const times = reading.times.toSorted(ascending)
    this.#readings.delete(reading)
    if (reading.front === undefined) this.#giveUpSampled(reading, times)
    else this.#giveUpAt(reading, reading.front, times)
  }

  /** Behind the front all transfers are known; ahead of it they may go on as they were. */
  #giveUpAt(reading: Reading, front: Density.Sighting, times: ReadonlyArray<number>): void {
    const { span } = reading
    const isDown = this.#order.direction < 0
    const [ahead, behind] = this.#sides()
    const cut = isDown ? Math.ceil(front.at) : Math.floor(front.at)
    ahead.add({ ...front, at: cut })
    const end = this.#expectedAtEnd(reading, front)
    if (end !== undefined) behind.add(end)
    for (const gap of this.#coverage.giveUp(span, [cut])) {
      if (isDown ? gap.from < cut : gap.to > cut) continue
      const known = times.filter((time) => time >= gap.from && time < gap.to)
      const population = new Sample.Population(known.length, { isGiven: true })
      this.#parts.set(gap, { population, share: 1, times: known })
    }
  }

  /** What was read is a sample, of the part of the window that it is spread over. */
  #giveUpSampled(reading: Reading, times: ReadonlyArray<number>): void {
    const { span, isWhole, part, lots } = reading
    const first = times[0] ?? span.from
    const last = times.at(-1) ?? span.to
    const extent = Math.max(1, last - first)
    const from = first - likelyFrom(span) > 2 * extent ? Math.floor(first) : span.from
    const to = span.to - last > 2 * extent ? Math.floor(last) + 1 : span.to
    const isCluster = !isWhole && to - from < (span.to - span.from) / 3
    const population = isCluster
      ? new Sample.Population(2 * times.length, { isGiven: true })
      : new Sample.Population(unseen * times.length, {
          isGiven: !isWhole && lots > 1,
          parent: this.#isSurprising(reading) ? undefined : part,
        })
    if (from > span.from) this.#above.add(Density.sighting(from, times.length, extent))
    if (to < span.to) this.#below.add(Density.sighting(to, times.length, extent))
    const sample: Sample.Part = { population, share: 1, times }
    const isTrimmed = from > span.from || to < span.to
    const cuts = isTrimmed ? [from, to] : [Math.floor(Sample.quantile(sample, span, 0.5))]
    for (const gap of this.#coverage.giveUp(span, cuts)) {
      if (gap.from < from || gap.to > to) continue
      this.#parts.set(gap, Sample.within(sample, gap, isTrimmed ? 1 : Sample.shareOf(sample, gap)))
    }
  }

  /** The service rejected the cursor of the window: windows are too long for it. */
  expired(reading: Reading): void {
    this.#mostLots = Math.max(1, Math.min(this.#mostLots, Math.floor(reading.lots / 2)))
    this.giveUp(reading)
  }

  // -------------------------------------------------------------------------------------------------- estimating

  #around(span: Span): readonly [below: Density.Sighting | undefined, above: Density.Sighting | undefined] {
    return [this.#below.nearest(span.from), this.#above.nearest(span.to)]
  }

  /** Sightings that tell of what a listing comes to next, and of what it has behind it. */
  #sides(): readonly [ahead: Density.Sightings, behind: Density.Sightings] {
    return this.#order.direction < 0 ? [this.#above, this.#below] : [this.#below, this.#above]
  }

  #expectedIn(span: Span): number {
    const part = this.#parts.get(span)
    if (part !== undefined) return Sample.expected(part)
    return Density.expected({ from: likelyFrom(span), to: span.to }, ...this.#around(span)) ?? lotsBeforeCut * lot
  }

  #isSure(span: Span): boolean {
    return this.#parts.get(span)?.population.isKnown ?? Density.isEven(...this.#around(span))
  }

  /** Transfers that a window probably has left. */
  #rest(reading: Reading): number {
    const { span, front, times, lots } = reading
    if (lots === 0) return Math.max(0, reading.expected - times.length)
    const isSurprising = this.#isSurprising(reading)
    if (front === undefined) {
      if (isSurprising) return times.length * (unseen - 1)
      const more = this.#expectedIn(span) - times.length
      return more > 0 ? more : times.length / 2
    }
    const [below, above] = this.#around(span)
    const end = this.#expectedAtEnd(reading, front)
    const rest =
      this.#order.direction < 0
        ? Density.expected({ from: likelyFrom(span), to: front.at }, end ?? below, front)
        : Density.expected({ from: front.at, to: span.to }, front, end ?? above)
    // What surprised is expected to go on for as long as it has.
    return Math.max(rest ?? 0, isSurprising ? times.length : 0)
  }

  /** A range that has a lower bound is expected to have transfers up to its end, as many as on the way there. */
  #expectedAtEnd({ span, times, isWhole }: Reading, front: Density.Sighting): Density.Sighting | undefined {
    if (!isWhole || span.from < genesis) return undefined
    const isDown = this.#order.direction < 0
    const read = isDown ? span.to - front.at : front.at - span.from
    return Density.sighting(isDown ? span.from : span.to, times.length, read)
  }

  /** It has many more transfers than all the others let expect. */
  #isSurprising({ part, expected, times, isWhole }: Reading): boolean {
    if (isWhole) return false
    const most = part?.population.isKnown === true ? Sample.expected(part) : expected
    return times.length > surprise * Math.max(lot, most)
  }
}

const isSecond = ({ from, to }: Span): boolean => to - from === 1

const ascending = (a: number, b: number): number => a - b

const likelyFrom = ({ from, to }: Span): number => (from < genesis && genesis < to ? genesis : from)

const atEnd = ({ from, to }: Span, isLater: boolean, width: number): Span => {
  const seconds = Math.max(1, Math.round(width))
  return isLater ? { from: to - seconds, to } : { from, to: from + seconds }
}
