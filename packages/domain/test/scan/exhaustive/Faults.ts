/**
 * Faults to plant in the classes of a scan, each as a double of one method: the exhaustive check must find each in the
 * scope that is named.
 */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as Result from "effect/Result"
import { ListingCursor } from "../../../src/internal/paging/ListingCursor.ts"
import { PageGuard } from "../../../src/internal/paging/PageGuard.ts"
import { Coverage, type Span } from "../../../src/internal/scan/Coverage.ts"
import { Scan, type Window } from "../../../src/internal/scan/Scan.ts"
import { ScanRange } from "../../../src/internal/scan/ScanRange.ts"

type Restore = () => void

/** Puts a double in the place of a method. */
const plant = <Class extends object, Name extends keyof Class>(
  target: { readonly prototype: Class },
  name: Name,
  double: (original: Class[Name]) => Class[Name],
): Restore => {
  const original = target.prototype[name]
  target.prototype[name] = double(original)
  return () => void (target.prototype[name] = original)
}

const moveEnds = (span: Span | undefined, from: number, to: number): void => {
  if (span !== undefined && span.to - span.from > 1) Object.assign(span, { from: span.from + from, to: span.to + to })
}

const openWith = (from: number, to: number): Restore =>
  plant(
    Coverage,
    "open",
    (original) =>
      function (this: Coverage, ...args) {
        const opened = original.apply(this, args)
        moveEnds(opened.window, from, to)
        return opened
      },
  )

export const faults: ReadonlyArray<readonly [name: string, scope: string, plant: () => Restore]> = [
  [
    "giving a window up loses its last second",
    "one instant is not wanted",
    () =>
      plant(
        Coverage,
        "giveUp",
        (original) =>
          function (this: Coverage, ...args) {
            const gaps = original.apply(this, args)
            moveEnds(gaps.at(-1), 0, -1)
            return gaps
          },
      ),
  ],
  ["opening a window drops a second above it", "nothing happens", () => openWith(0, -1)],
  ["opening a window drops a second below it", "nothing happens", () => openWith(1, 0)],
  [
    "a window is asked for from a second late",
    "nothing happens",
    () =>
      plant(
        ScanRange,
        "intervalOf",
        (original) =>
          function (this: ScanRange, span) {
            const { first, end } = original.call(this, span)
            return { first: first === undefined ? first : first + 1_000_000_000n, end }
          },
      ),
  ],
  [
    "the end of an interval is inclusive",
    "the service takes lt as inclusive",
    () =>
      plant(
        PageGuard,
        "admit",
        (original) =>
          function (this: PageGuard, { interval: { first, end }, ...request }, transfers) {
            const wider = { first, end: end === undefined ? end : end + 1n }
            return original.call(this, { ...request, interval: wider }, transfers)
          },
      ),
  ],
  [
    "what the filter leaves out of a request is delivered",
    "one instant is not wanted",
    () =>
      plant(
        PageGuard,
        "admit",
        (original) =>
          function (this: PageGuard, request, transfers) {
            return original.call(this, { ...request, wanted: CreatedAt.all }, transfers)
          },
      ),
  ],
  [
    "a repeated cursor is taken as the end",
    "the service repeats a cursor before its end",
    () =>
      plant(
        ListingCursor,
        "advance",
        (original) =>
          function (this: ListingCursor, page, inside) {
            const more = original.call(this, page, inside)
            return Result.isFailure(more) && more.failure._tag === "CursorCycle" ? Result.succeed(false) : more
          },
      ),
  ],
  [
    "an empty page is taken as the end",
    "a page is empty and not the last",
    () =>
      plant(
        ListingCursor,
        "advance",
        (original) =>
          function (this: ListingCursor, page, inside) {
            return page.results.length === 0 ? Result.succeed(false) : original.call(this, page, inside)
          },
      ),
  ],
  [
    "a checkpoint leaves out the windows under way",
    "the process dies and resumes",
    () =>
      plant(
        Coverage,
        "remaining",
        () =>
          function (this: Coverage) {
            return [...this.gaps]
          },
      ),
  ],
  [
    "what remains is merged over a hole",
    "an open second is not wanted",
    () =>
      plant(
        Coverage,
        "remaining",
        (original) =>
          function (this: Coverage, completed) {
            const merged: Array<Span> = []
            for (const { from, to } of original.call(this, completed)) {
              const last = merged.at(-1)
              if (last?.to === from) merged[merged.length - 1] = { from: last.from, to }
              else merged.push({ from, to })
            }
            return merged
          },
      ),
  ],
  [
    "a window whose cursor is rejected is taken as complete",
    "a cursor is rejected",
    () =>
      plant(
        Coverage,
        "giveUp",
        () =>
          function (this: Coverage, window) {
            this.complete(window)
            return []
          },
      ),
  ],
  [
    "what is listed twice is delivered twice",
    "a row moves to the end of the listing",
    () => {
      const again = new WeakMap<Window, Array<Transfer>>()
      return plant(
        Scan,
        "admit",
        (original) =>
          function (this: Scan, window, page) {
            const known = page.results.filter(({ id }) => window.transfers.has(id))
            again.set(window, [...(again.get(window) ?? []), ...known])
            return Result.map(original.call(this, window, page), (outcome) =>
              outcome._tag === "Complete"
                ? { ...outcome, transfers: [...outcome.transfers, ...(again.get(window) ?? [])] }
                : outcome,
            )
          },
      )
    },
  ],
]
