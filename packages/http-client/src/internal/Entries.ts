/** What an import of the package's bare name meets. */

throw new Error(
  '@transferkit/http-client has two entries. With promises: import { createTransferClient } from "@transferkit/http-client/promise". With Effect: import * as HttpTransferApi from "@transferkit/http-client/HttpTransferApi".',
)
