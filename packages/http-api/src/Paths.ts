/** The operations of partner-api.md, below the base URL. In a file of its own: a client needs no more of the contract. */

/** Read capabilities: section 4.1. */
export const capabilities = "/v1/capabilities"

/** Search for transfers: section 4.2. */
export const search = "/v1/transfers/search"

/** The path of an operation. */
export type Path = typeof capabilities | typeof search
