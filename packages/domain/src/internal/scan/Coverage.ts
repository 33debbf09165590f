/**
 * Which part of a scan's range is still to be read. All that makes a scan correct is here and in `ScanRun.ts`, and
 * none of it rests on a guess: `gaps` and `windows` are disjoint, and together with the completed windows they cover
 * the range exactly. An interval leaves the coverage only by `complete`, so a caller that completes a window only
 * when its listing was read to the end cannot lose a transfer.
 */

/** From the second `from` up to, not including, the second `to`, both since 1970. At least one second long. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** A second cannot be cut. */
export const isSecond = ({ from, to }: Span): boolean => to - from === 1

export class Coverage {
  readonly #gaps: Set<Span>
  readonly #windows = new Set<Span>()
  /** Where the spans of the range begin. */
  readonly #seams: ReadonlySet<number>

  /** `range` is disjoint: what is to be read. Two of its spans may touch and still be no single one: see `ScanRange.ts`. */
  constructor(range: Iterable<Span>) {
    this.#gaps = new Set(range)
    this.#seams = new Set([...this.#gaps].map(({ from }) => from))
  }

  /** Not requested, or given up. */
  get gaps(): ReadonlySet<Span> {
    return this.#gaps
  }

  /** Being read. */
  get windows(): ReadonlySet<Span> {
    return this.#windows
  }

  get isComplete(): boolean {
    return this.#gaps.size === 0 && this.#windows.size === 0
  }

  /** Whether this is the only window, and nothing else is left. */
  isLast(window: Span): boolean {
    return this.#gaps.size === 0 && this.#windows.size === 1 && this.#windows.has(window)
  }

  /**
   * All that is still to be read, windows under way included but for `completed`, in order, and merged where it touches
   * within a span of the range.
   */
  remaining(completed?: Span): ReadonlyArray<Span> {
    const merged: Array<{ readonly from: number; to: number }> = []
    for (const span of [...this.#gaps, ...this.#windows].sort((a, b) => a.from - b.from)) {
      if (span === completed) continue
      const last = merged.at(-1)
      if (last?.to === span.from && !this.#seams.has(span.from)) last.to = span.to
      else merged.push({ from: span.from, to: span.to })
    }
    return merged
  }

  /** Makes a window of a gap, or of the part of it that lies within `part`; what is left of it are gaps. */
  open(gap: Span, part: Span = gap): { readonly window: Span; readonly rest: ReadonlyArray<Span> } {
    remove(this.#gaps, gap)
    const from = Math.max(gap.from, Math.floor(part.from))
    const to = Math.min(gap.to, Math.ceil(part.to))
    const window = from < to ? { from, to } : { from: gap.from, to: gap.to }
    this.#windows.add(window)
    return { window, rest: this.#addGaps([gap.from, window.from], [window.to, gap.to]) }
  }

  /** The listing of the window was read to its end. */
  complete(window: Span): void {
    remove(this.#windows, window)
  }

  /**
   * The listing of the window was not read to its end, so all of the window becomes gaps: cut at those of `cuts` that
   * are whole seconds within it, or in the middle if none is. A gap is never joined with its neighbour, so each
   * giving up uses up a second to cut at, and windows are given up finitely often. A single second becomes one gap: the
   * caller bounds how often.
   */
  giveUp(window: Span, cuts: ReadonlyArray<number>): ReadonlyArray<Span> {
    remove(this.#windows, window)
    const { from, to } = window
    const inside = cuts.filter((at) => Number.isInteger(at) && at > from && at < to)
    if (inside.length === 0) inside.push(from + Math.floor((to - from) / 2))
    const ends = [...new Set(inside), to].sort((a, b) => a - b)
    return this.#addGaps(...ends.map((end, index) => [ends[index - 1] ?? from, end] as const))
  }

  #addGaps(...spans: ReadonlyArray<readonly [from: number, to: number]>): ReadonlyArray<Span> {
    const gaps = spans.filter(([from, to]) => from < to).map(([from, to]) => ({ from, to }))
    for (const gap of gaps) this.#gaps.add(gap)
    return gaps
  }
}

const remove = (spans: Set<Span>, span: Span): void => {
  if (!spans.delete(span)) throw new Error(`[${span.from}, ${span.to}) is not there to be removed`)
}
