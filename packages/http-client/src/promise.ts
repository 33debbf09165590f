/** The transfer service for programs that use promises: no Effect to know, the same care underneath. */
import { createClient } from "./internal/promise/Client.ts"
import type { TransferClientConfig } from "./internal/promise/Options.ts"
import type { TransferClient } from "./internal/promise/TransferClient.ts"

export type { ResponseInfo } from "./internal/call/ResponseInfo.ts"
export type {
  CallOptions,
  Credentials,
  GetQuery,
  Instant,
  ListOptions,
  Logger,
  LogLevel,
  PageQuery,
  Query,
  ScanOptions,
  TransferClientConfig,
  ValidateOptions,
} from "./internal/promise/Options.ts"
export type { TransferClient, TransferList, TransferScan } from "./internal/promise/TransferClient.ts"
export {
  CheckpointMismatch,
  ConnectionFailed,
  CursorCycle,
  CursorExpired,
  EmptyPages,
  InvalidCheckpoint,
  InvalidConfiguration,
  InvalidRequest,
  InvalidTimestamp,
  isTransferError,
  MalformedProposals,
  MalformedResponse,
  MissingCursor,
  MovedTransfer,
  OutsideFilter,
  RateLimited,
  RepeatedPages,
  SecondTooLarge,
  type ServiceError,
  ServiceUnavailable,
  TimedOut,
  type TransferError,
  TransferKitError,
  Unauthorized,
  UnexpectedStatus,
} from "./internal/promise/TransferKitError.ts"
export type {
  Batch,
  Capabilities,
  Checkpoint,
  Money,
  Proposal,
  Report,
  ResponseDetails,
  TemporalInstant,
  Timestamp,
  Transfer,
  TransferPage,
  Verdict,
  Violation,
} from "./internal/promise/Values.ts"

/**
 * A client for one partner. Settings that are left out come from the environment. It holds no connection of its own, so
 * there is nothing to close. Throws `InvalidConfiguration` if a setting is wrong or missing.
 *
 * @example
 * const client = createTransferClient({ baseUrl, partnerId: "demo", secretKey: "demo-secret" })
 * (await client.search({ limit: 1 })).results.length // => 1
 */
export const createTransferClient = (config: TransferClientConfig = {}): TransferClient => createClient(config)
