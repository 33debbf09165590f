/** A response in short, for a log. */
export interface ResponseInfo {
  readonly status: number
  /** The service's `x-request-id`: quote it to its support. */
  readonly requestId: string | undefined
  /** From the request until the last byte. */
  readonly milliseconds: number
  /** The `curl` command that repeats the request, without the secret key. */
  readonly curl: string
}
