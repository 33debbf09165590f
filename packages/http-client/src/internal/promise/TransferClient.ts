/** The service as the Promise client offers it. */
import type { CallOptions, GetQuery, ListOptions, PageQuery, Query, ScanOptions } from "./Options.ts"
import type { Batch, Capabilities, Report, Transfer, TransferPage } from "./Values.ts"

/** All transfers of a query, one by one, in the order of the service. Each loop requests them again. */
export interface TransferList extends AsyncIterable<Transfer> {
  /** The same, page by page. */
  readonly pages: () => AsyncIterable<ReadonlyArray<Transfer>>
  /** The first `limit` transfers; the pages after them are not requested. */
  readonly toArray: (options: { readonly limit: number }) => Promise<ReadonlyArray<Transfer>>
  /** What has come in the latest loop, and whether it is everything. */
  readonly report: () => Report
}

/** All transfers of a query, in any order. Each loop reads them again. */
export interface TransferScan extends AsyncIterable<Batch> {
  /** What has come in the latest loop, and whether it is everything. */
  readonly report: () => Report
}

/** The service, as one partner sees it. Every failure is a `TransferKitError`, or the reason of a signal. */
export interface TransferClient {
  /** Countries, currencies, payment methods and limits. */
  readonly capabilities: (options?: CallOptions) => Promise<Capabilities>
  /** One page. */
  readonly search: (query?: PageQuery, options?: CallOptions) => Promise<TransferPage>
  /** All transfers one by one, in the order of the service. The next page is requested while one is read. */
  readonly list: (query?: Query, options?: ListOptions) => TransferList
  /**
   * All transfers in any order, many windows of creation time at once. Each batch has a checkpoint: save it after the
   * batch, and pass it as `resume` to continue from there.
   */
  readonly scan: (query?: Query, options?: ScanOptions) => TransferScan
  /** The JSON of a path below `/v1`, such as `/transfers/0192`: for what the contract does not name yet. */
  readonly get: (path: string, query?: GetQuery, options?: CallOptions) => Promise<unknown>
}
