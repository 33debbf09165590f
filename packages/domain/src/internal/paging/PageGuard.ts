/** Separates the transfers of a page that were wanted from those that were not, and bounds the pages of nothing else. */
import * as Result from "effect/Result"
import * as CreatedAt from "../../CreatedAt.ts"
import type { Transfer } from "../../Transfer.ts"
import { OutsideFilter } from "../../TransferPagerError.ts"
import * as Interval from "../time/Interval.ts"

/** One listing: what the service was asked for, and what of it is wanted. */
export interface Request {
  readonly external_id: string | undefined
  readonly interval: Interval.Interval
  /** Narrower than the interval if that had to be widened to what a request can express. */
  readonly wanted: CreatedAt.CreatedAt
}

/** The transfers of a page. */
export interface Admitted {
  readonly wanted: ReadonlyArray<Transfer>
  /** All that the service was asked for, wanted or not. */
  readonly inside: ReadonlyArray<Transfer>
  /** How many the service should not have sent. */
  readonly outside: number
  /** Those of them that fit but for their creation time. */
  readonly strays: ReadonlyArray<Transfer>
}

/** Pages in a row that may hold transfers and none that was asked for. A service that keeps its contract sends none. */
const mostStrayPages = 100

export class PageGuard {
  readonly #strict: boolean
  /** Pages in a row, over all listings of a run: a listing whose cursors are rejected never gets to a second page. */
  #strayPages = 0
  #firstStray: OutsideFilter | undefined

  /** In strict mode one transfer that was not asked for is an error. */
  constructor(strict: boolean) {
    this.#strict = strict
  }

  admit(request: Request, transfers: ReadonlyArray<Transfer>): Result.Result<Admitted, OutsideFilter> {
    const wanted: Array<Transfer> = []
    const inside: Array<Transfer> = []
    const strays: Array<Transfer> = []
    for (const transfer of transfers) {
      const reason = whyOutside(request, transfer)
      if (reason === undefined) {
        inside.push(transfer)
        if (CreatedAt.matches(request.wanted, transfer.created_at)) wanted.push(transfer)
      } else {
        if (this.#strict) return Result.fail(new OutsideFilter({ id: transfer.id, reason }))
        this.#firstStray ??= new OutsideFilter({ id: transfer.id, reason, pages: mostStrayPages })
        if (isOf(request, transfer)) strays.push(transfer)
      }
    }
    if (inside.length > 0) {
      this.#strayPages = 0
      this.#firstStray = undefined
    } else if (transfers.length > 0) this.#strayPages++
    if (this.#firstStray !== undefined && this.#strayPages > mostStrayPages) return Result.fail(this.#firstStray)
    return Result.succeed({ wanted, inside, outside: transfers.length - inside.length, strays })
  }
}

const isOf = ({ external_id }: Request, transfer: Transfer): boolean =>
  external_id === undefined || transfer.external_id === external_id

const whyOutside = (request: Request, transfer: Transfer): string | undefined => {
  if (!isOf(request, transfer)) return `its external_id is ${JSON.stringify(transfer.external_id ?? null)}`
  const isInside = Interval.has(request.interval, transfer.created_at.epochNanoseconds)
  return isInside ? undefined : `it was created at ${transfer.created_at.text}`
}
