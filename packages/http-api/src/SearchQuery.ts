/** What the search can be asked with. Apart, so that a server that reads it need not load the whole contract. */

/** The names of the parameters. `created_at` alone may be repeated. */
export const parameters = ["external_id", "created_at", "limit", "after_cursor"] as const
