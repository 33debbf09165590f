/** A program in CommonJS, for the Nodes. */
const { createTransferClient } = require("@transferkit/http-client/promise")

createTransferClient()
  .list()
  .toArray({ limit: 3 })
  .then((transfers) => console.log(`${transfers.length} transfers by require`))
