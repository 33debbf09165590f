/** The connections of Node. */
export interface ConnectionOptions {
  /** Certificates of authorities to trust instead of Node's own, in PEM: for a private authority. */
  readonly ca?: string | ReadonlyArray<string> | undefined
  /**
   * The address of an HTTP proxy, such as `http://proxy.example:3128`.
   * @default the proxy of the environment, if Node runs with `NODE_USE_ENV_PROXY=1`
   */
  readonly proxy?: string | undefined
  /** An `http.Agent` or `https.Agent` of your own, in place of the client's, and of `ca` and `proxy`. */
  readonly agent?: object | undefined
}
