/** The service as the Promise client offers it. */
import type { CallOptions, GetQuery, ListOptions, PageQuery, Query, ScanOptions, ValidateOptions } from "./Options.ts"
import type { Batch, Capabilities, Report, Transfer, TransferPage, Verdict } from "./Values.ts"

/**
 * All transfers of a query, one by one, in the order of the service. Each loop requests them again.
 *
 * @example
 * const ids = []
 * for await (const { id } of client.list()) ids.push(id)
 * new Set(ids).size // => 45
 */
export interface TransferList extends AsyncIterable<Transfer> {
  /**
   * The same, page by page.
   *
   * @example
   * const sizes = []
   * for await (const page of client.list().pages()) sizes.push(page.length)
   * sizes // => [20, 20, 5]
   */
  readonly pages: () => AsyncIterable<ReadonlyArray<Transfer>>
  /**
   * The first `limit` transfers; the pages after them are not requested.
   *
   * @example
   * (await client.list().toArray({ limit: 7 })).length // => 7
   */
  readonly toArray: (options: { readonly limit: number }) => Promise<ReadonlyArray<Transfer>>
  /** What has come in the latest loop, and whether it is everything. */
  readonly report: () => Report
}

/**
 * All transfers of a query, in any order. Each loop reads them again.
 *
 * @example
 * const scan = client.scan()
 * for await (const { results } of scan) results.length
 * scan.report().transfers // => 45
 */
export interface TransferScan extends AsyncIterable<Batch> {
  /** What has come in the latest loop, and whether it is everything. */
  readonly report: () => Report
}

/**
 * The service, as one partner sees it. Every failure is a `TransferKitError`, or the reason of a signal.
 *
 * @example
 * (await client.search()).results.length // => 20
 */
export interface TransferClient {
  /**
   * Countries, currencies, payment methods and limits.
   *
   * @example
   * (await client.capabilities()).transfer_limits["fiat/USD"].min_transfer // => "5.00"
   */
  readonly capabilities: (options?: CallOptions) => Promise<Capabilities>
  /**
   * One page, without transfers that were not asked for.
   *
   * @example
   * (await client.search({ created_at: { lt: "2025-01-01T00:00:00Z" }, limit: 5 })).results.length // => 5
   */
  readonly search: (query?: PageQuery, options?: CallOptions) => Promise<TransferPage>
  /**
   * All transfers one by one, in the order of the service. The next page is requested while one is read.
   *
   * @example
   * let transfers = 0
   * for await (const transfer of client.list()) if (transfer.status !== "") transfers++
   * transfers // => 45
   */
  readonly list: (query?: Query, options?: ListOptions) => TransferList
  /**
   * All transfers in any order, many windows of creation time at once. Each batch has a checkpoint: save it after the
   * batch, and pass it as `resume` to continue from there.
   *
   * @example
   * let [transfers, saved] = [0, undefined]
   * for await (const { results, checkpoint } of client.scan()) [transfers, saved] = [transfers + results.length, checkpoint]
   * [transfers, saved.remaining] // => [45, []]
   */
  readonly scan: (query?: Query, options?: ScanOptions) => TransferScan
  /**
   * Whether the service would accept proposed transfers, by its capabilities. Takes a {@link Proposal}, a list of them,
   * the envelope `{"transfers":[…]}`, or the JSON text of one of these, such as the body of a request. There is a verdict
   * on each, in order. Nothing is sent but the request for the capabilities. Anything that holds no proposal rejects with
   * `MalformedProposals`.
   *
   * @example
   * const [verdict] = await client.validate({ country_code: "AQ" })
   * [verdict.valid, verdict.violations[0].code] // => [false, "unsupported_country"]
   */
  readonly validate: (proposals: unknown, options?: ValidateOptions) => Promise<readonly [Verdict, ...Array<Verdict>]>
  /**
   * The JSON of a path below `/v1`, such as `/transfers/0192`: for what the contract does not name yet.
   *
   * @example
   * (await client.get("/transfers/search", { limit: 3 })).results.length // => 3
   */
  readonly get: (path: string, query?: GetQuery, options?: CallOptions) => Promise<unknown>
}
