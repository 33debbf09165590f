/** A program in CommonJS, for the compilers. */
import client = require("@transferkit/http-client/promise")

export const count: Promise<number> = client
  .createTransferClient()
  .list()
  .toArray({ limit: 3 })
  .then((transfers) => transfers.length)
