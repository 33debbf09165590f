/**
 * A response in short, for a log.
 *
 * @example
 * const statuses = []
 * const onResponse = ({ status }) => statuses.push(status)
 * await createTransferClient({ baseUrl, partnerId: "demo", secretKey: "demo-secret", onResponse }).search()
 * statuses // => [200]
 */
export interface ResponseInfo {
  readonly status: number
  /** The service's `x-request-id`: quote it to its support. */
  readonly requestId: string | undefined
  /** From the request until the last byte. */
  readonly milliseconds: number
  /** The `curl` command that repeats the request, without the secret key. */
  readonly curl: string
}
