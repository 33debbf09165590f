/** Where the operations of partner-api.md are, below the base URL. Apart, so that a client need not load the whole contract. */

/** Read capabilities: section 4.1. */
export const capabilities = "/v1/capabilities"

/** Search for transfers: section 4.2. */
export const search = "/v1/transfers/search"
