/** Separates the transfers of a page that were wanted from those that were not. */
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

/** `outside` counts the transfers that the service should not have sent; in strict mode one is an error. */
export const admit = (
  request: Request,
  transfers: ReadonlyArray<Transfer>,
  strict: boolean,
): Result.Result<{ readonly wanted: ReadonlyArray<Transfer>; readonly outside: number }, OutsideFilter> => {
  const wanted: Array<Transfer> = []
  let outside = 0
  for (const transfer of transfers) {
    const reason = whyOutside(request, transfer)
    if (reason === undefined) {
      if (CreatedAt.matches(request.wanted, transfer.created_at)) wanted.push(transfer)
    } else if (strict) return Result.fail(new OutsideFilter({ id: transfer.id, reason }))
    else outside++
  }
  return Result.succeed({ wanted, outside })
}

const whyOutside = ({ external_id, interval }: Request, transfer: Transfer): string | undefined => {
  if (external_id !== undefined && transfer.external_id !== external_id) {
    return `its external_id is ${JSON.stringify(transfer.external_id ?? null)}`
  }
  const isInside = Interval.has(interval, transfer.created_at.epochNanoseconds)
  return isInside ? undefined : `it was created at ${transfer.created_at.text}`
}
