/**
 * Which window to read next, and when to give one up so that several can share its transfers. All of it is estimated
 * from the transfers seen so far: a wrong estimate costs requests and time, never a transfer (see `Coverage.ts`).
 */
import * as Bursts from "./Bursts.ts"
import { type Coverage, isSecond, type Span } from "./Coverage.ts"
import * as Density from "./Density.ts"
import { Estimates, likelyFrom, lotsBeforeCut, unseen } from "./Estimates.ts"
import { HeldTransfers } from "./HeldTransfers.ts"
import { lot, type Reading } from "./Reading.ts"
import * as Sample from "./Sample.ts"

/** Lots to aim at in a window at the least. */
const fewestLots = 3
/** Windows that each of several workers should still get: large ones first, small ones in the end. */
const rounds = 4
/** A window has this many times what was read or aimed at left: it is better cut. */
const misjudged = 3
/** A window is opened whole if at least this share of it was to be opened. */
const nearlyWhole = 2 / 3

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
  readonly #whole: WeakSet<Span>
  readonly #readings = new Set<Reading>()
  readonly #held: HeldTransfers
  readonly #estimates: Estimates
  readonly #seeksBursts: boolean
  readonly #steepest: number
  #mostLots: number
  #pages = 0

  constructor(coverage: Coverage, { concurrency, windowSize, mostInSecond }: Limits) {
    this.#coverage = coverage
    this.#concurrency = concurrency
    this.#held = new HeldTransfers(this.#readings, { concurrency, mostInSecond })
    this.#seeksBursts = Bursts.isSoughtBy(concurrency)
    this.#steepest = Bursts.steepestFor(concurrency)
    this.#estimates = new Estimates(this.#steepest)
    this.#mostLots = Math.floor(windowSize / lot)
    this.#whole = new WeakSet(coverage.gaps)
  }

  /** Transfers that are still to be expected. */
  get expected(): number {
    let sum = 0
    for (const gap of this.#coverage.gaps) sum += this.#estimates.expectedIn(gap)
    for (const reading of this.#readings) sum += this.#estimates.rest(reading)
    return sum
  }

  // -------------------------------------------------------------------------------------------------- opening

  /** Opens the next window, if one more should be read now. */
  open(): Reading | undefined {
    const { gaps, windows } = this.#coverage
    // Slow start: a short result is not worth many windows.
    const allowed = Math.min(this.#concurrency, Math.max(1, this.#pages))
    if (windows.size >= allowed) return undefined
    const hasRoom = this.#held.hasRoomForSecond
    let best: Span | undefined
    let most = -1
    for (const gap of gaps) {
      if (!hasRoom && isSecond(gap)) continue
      // Surprises are better met early: what is not known comes first, then what is largest.
      const weight = this.#estimates.expectedIn(gap) + (this.#estimates.isSure(gap) ? 0 : Number.MAX_SAFE_INTEGER)
      if (weight > most) [best, most] = [gap, weight]
    }
    return best === undefined ? undefined : this.#open(best)
  }

  #open(gap: Span): Reading {
    const part = this.#estimates.parts.get(gap)
    const isWhole = this.#whole.has(gap)
    const share = isWhole ? 1 : this.#shareToOpen(gap, part)
    const isCut = share < nearlyWhole
    const { window, rest } = this.#coverage.open(gap, isCut ? this.#cutOff(gap, part, share) : gap)
    if (part !== undefined) {
      this.#estimates.parts.set(window, rest.length === 0 ? part : Sample.within(part, window, part.share * share))
      for (const left of rest) this.#estimates.parts.set(left, Sample.within(part, left, part.share * (1 - share)))
    }
    const [ahead] = this.#estimates.sides()
    const reading: Reading = {
      span: window,
      isWhole,
      part: this.#estimates.parts.get(window),
      expected: this.#estimates.expectedIn(window),
      isSure: isWhole || this.#estimates.isSure(window),
      times: [],
      excess: 0,
      lots: 0,
      looked: 0,
      lastLot: undefined,
      front: undefined,
      beside: ahead.nearest(this.#estimates.order.direction < 0 ? window.to : window.from),
      isRising: false,
    }
    this.#readings.add(reading)
    return reading
  }

  /** The share of a gap's transfers that makes a window of the lots aimed at. */
  #shareToOpen(gap: Span, part: Sample.Part | undefined): number {
    // A pilot, to find out how large the population is.
    if (part?.population.isKnown === false) return 1 / unseen / part.share
    return (Math.ceil(this.#aim()) * lot) / this.#estimates.expectedIn(gap)
  }

  /** The interval that holds such a share: at the denser end of the gap, of which more is known. */
  #cutOff(gap: Span, part: Sample.Part | undefined, share: number): Span {
    if (part !== undefined) return { from: gap.from, to: Math.min(gap.to - 1, Sample.quantile(part, gap, share)) }
    const [below, above] = this.#estimates.around(gap)
    const width = gap.to - likelyFrom(gap)
    if (Density.isEven(below, above)) return atEnd(gap, this.#estimates.order.direction < 0, width * share)
    const isAbove = above !== undefined && (below === undefined || above.rate > below.rate)
    const dense = isAbove ? above : below
    if (dense === undefined) return gap
    const reach = Density.reach(dense, isAbove ? gap.to : gap.from, share * this.#estimates.expectedIn(gap))
    return reach < width * nearlyWhole ? atEnd(gap, isAbove, reach) : gap
  }

  /** Lots to aim at in a window: guided self-scheduling. */
  #aim(): number {
    const windows = 1 + (this.#concurrency - 1) * rounds
    return Math.min(this.#mostLots, Math.max(fewestLots, this.expected / lot / windows))
  }

  // -------------------------------------------------------------------------------------------------- reading

  /** A page of the window came: `times` are the seconds in which its transfers were created. */
  page(reading: Reading, times: ReadonlyArray<number>, excess = 0): void {
    this.#pages++
    reading.excess += excess
    for (const time of times) reading.times.push(time)
    if (reading.times.length - reading.looked < 0.8 * lot) return
    const seen = reading.times.slice(reading.looked).sort(ascending)
    reading.looked = reading.times.length
    reading.lots++
    // The first lots of a window say little if transfers are listed by a time that is only near creation.
    const isTelling = reading.isWhole || reading.lots > 2
    if (reading.lastLot !== undefined && isTelling) this.#estimates.order.compare(reading.lastLot, seen)
    reading.lastLot = seen
    this.#advance(reading, seen)
  }

  #advance(reading: Reading, seen: ReadonlyArray<number>): void {
    const { span, front, isWhole, lots } = reading
    const { direction } = this.#estimates.order
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
    const [ahead, behind] = this.#estimates.sides()
    const begin = direction < 0 ? span.to : span.from
    // Over the way from one front to the next: transfers of the same minute say nothing about the hours after it.
    const here =
      front === undefined
        ? Density.sighting(at, middle.length - 1, high - low)
        : Density.sighting(at, seen.length, Math.abs(at - front.at))
    // A whole range may begin with a long time of nothing.
    const isOnItsWay = front !== undefined && !isWhole
    const way = Density.sighting(at, reading.times.length, Math.abs(at - begin))
    const latest = isOnItsWay ? Density.steadied(here, way) : here
    reading.front = Density.prolong(latest, front ?? ahead.nearest(begin), this.#steepest)
    reading.isRising = this.#seeksBursts && !isWhole && lots === 1 && Bursts.mayBegin(reading.beside, latest, way)
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
    this.#estimates.above.add(
      first === undefined ? Density.sighting(from, 0.5, width) : Density.sighting(from, count, first - from),
    )
    this.#estimates.below.add(
      last === undefined ? Density.sighting(to, 0.5, width) : Density.sighting(to, count, to - last),
    )
  }

  /** Whether it is better to give the window up, and what was read of it, than to go on. */
  isWorthGivingUp(reading: Reading): boolean {
    const { span, lots, front, isWhole, isSure } = reading
    if (isSecond(span)) return this.#held.isCrowdedOut(reading)
    if (this.#held.isTooMuch(reading, this.#mostLots)) return true
    if (lots < (isWhole ? lotsBeforeCut : 1)) return false
    // One worker gains nothing by a cut, but its results must not wait for ever.
    if (isWhole && front === undefined) return this.#concurrency > 1 || lots >= this.#mostLots
    // The first lot is a sample of a population of unknown size.
    if (lots === 1 && front === undefined && !isSure && !this.#estimates.isSure(span)) return true
    const rest = this.#estimates.rest(reading) / lot
    if (isWhole && lots >= this.#mostLots && rest > this.#mostLots) return true
    if (reading.isRising && Bursts.isWorthHalving(rest)) return true
    return rest > misjudged * lots && rest > misjudged * this.#aim()
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
    const isDown = this.#estimates.order.direction < 0
    const [ahead, behind] = this.#estimates.sides()
    const cut = isDown ? Math.ceil(front.at) : Math.floor(front.at)
    ahead.add({ ...front, at: cut })
    const end = this.#estimates.atEnd(reading, front)
    if (end !== undefined) behind.add(end)
    const half = Math.floor((cut + (isDown ? span.from : span.to)) / 2)
    for (const gap of this.#coverage.giveUp(span, reading.isRising ? [cut, half] : [cut])) {
      if (isDown ? gap.from < cut : gap.to > cut) continue
      const known = times.filter((time) => time >= gap.from && time < gap.to)
      const population = new Sample.Population(known.length, { isGiven: true })
      this.#estimates.parts.set(gap, { population, share: 1, times: known })
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
          parent: this.#estimates.isSurprising(reading) ? undefined : part,
        })
    if (from > span.from) this.#estimates.above.add(Density.sighting(from, times.length, extent))
    if (to < span.to) this.#estimates.below.add(Density.sighting(to, times.length, extent))
    const sample: Sample.Part = { population, share: 1, times }
    const isTrimmed = from > span.from || to < span.to
    const cuts = isTrimmed ? [from, to] : [Math.floor(Sample.quantile(sample, span, 0.5))]
    for (const gap of this.#coverage.giveUp(span, cuts)) {
      if (gap.from < from || gap.to > to) continue
      this.#estimates.parts.set(gap, Sample.within(sample, gap, isTrimmed ? 1 : Sample.shareOf(sample, gap)))
    }
  }

  /** The service rejected the cursor of the window: windows are too long for it. */
  expired(reading: Reading): void {
    this.#mostLots = Math.max(1, Math.min(this.#mostLots, Math.floor(reading.lots / 2)))
    this.giveUp(reading)
  }
}

const ascending = (a: number, b: number): number => a - b

const atEnd = ({ from, to }: Span, isLater: boolean, width: number): Span => {
  const seconds = Math.max(1, Math.round(width))
  return isLater ? { from: to - seconds, to } : { from, to: from + seconds }
}
