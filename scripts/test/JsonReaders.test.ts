import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import * as Repository from "../Repository.ts"

/** A text becomes values without the bounds of `JsonText`, `JsonDocument` or `JsonBounds`. */
const parsing = /\bJSON\.parse\(|\bJsonValue\.parse\(|\bfromJsonString\b/
const bounded = /\b(?:JsonText|JsonDocument|JsonBounds)\b/
const itself = "packages/domain/src/JsonSyntax.ts"

/** Each reads what this repository's own code has written, or what was bounded before it: by the reason. */
const reasons: Readonly<Record<string, string>> = {
  "apps/cli/src/bin.ts": "help pages of the bundle",
  "apps/cli/src/commands/audit/Run.ts": "texts of this run",
  "apps/cli/src/output/Jq.ts": "what jq prints",
  "apps/cli/src/output/Template.ts": "records of this run",
  "apps/cli/src/output/UserProgram.ts": "its parent's program",
  "apps/fake-server/src/MirrorData.ts": "transfers that were read",
  "apps/fake-server/src/console/FakeClient.ts": "the fake's responses, in a browser",
  "apps/fake-server/src/console/TransferDrawer.tsx": "what its user writes, in a browser",
  "apps/validation-lambda/src/aws/AwsRequest.ts": "responses of AWS",
  "apps/validation-lambda/src/service/CapabilitiesStore.ts": "what it has stored",
  "apps/validation-lambda/src/service/Secret.ts": "responses of AWS",
  "packages/conformance/src/certificate/CaseResponses.ts": "at most 1 MiB of a response",
  "packages/conformance/src/certificate/ResponseLaws.ts": "at most 1 MiB of a response",
  "packages/domain/src/BreakIdentity.ts": "texts of this run",
  "packages/domain/src/StoredText.ts": "one string",
  "packages/domain/src/internal/decimal/NumberText.ts": "texts that its callers bound",
  "packages/fake/src/internal/admin/FilteredSearch.ts": "transfers of its store",
  "packages/fake/src/internal/data/NewTransfer.ts": "transfers that it makes",
  "packages/fake/src/internal/faults/Drift.ts": "pages that it makes",
  "packages/fake/src/internal/recording/Pseudonyms.ts": "one string",
  "packages/fake/src/internal/recording/Replay.ts": "pages that it makes",
  "packages/fake/src/internal/v1/Contract.ts": "transfers of its store",
  "packages/files/src/exports/ExportCheck.ts": "texts of this run",
  "packages/files/src/exports/ExportDiff.ts": "texts of this run",
  "packages/files/src/node/FileLock.ts": "at most 4 KiB",
  "packages/files/src/partitions/ReconciliationRecords.ts": "texts of this run",
  "packages/files/src/partitions/SortedTexts.ts": "texts of this run",
  "packages/http-api/src/ErrorBody.ts": "texts that its callers bound",
  "packages/http-api/src/internal/RefineOpenApi.ts": "the document of the contract",
  "packages/in-memory/src/TransferStore.ts": "transfers of its store",
  "packages/mcp/src/MirrorQuery.ts": "what its child prints",
  "packages/mcp/src/internal/Declared.ts": "its own messages",
  "packages/mcp/src/internal/ServiceData.ts": "the digits of one number",
  "packages/mcp/src/internal/Unanswered.ts": "its own messages",
  "packages/mirror/src/TransferHistory.ts": "rows that a sync wrote",
  "packages/mirror/src/internal/DayTotals.ts": "rows that a sync wrote",
  "packages/mirror/src/internal/LoadPosition.ts": "states that SyncTables bounds",
  "packages/mirror/src/internal/Rereading.ts": "states that SyncTables bounds",
  "packages/report/src/ReconciliationLines.ts": "texts of this run",
}

/** Without comments, whose examples parse as they like. */
const codeOf = (file: string): string =>
  readFileSync(join(Repository.root, file), "utf8").replaceAll(/\/\*\*[^]*?\*\/|^ *\/\/.*$/gm, "")

it("every text of others is bounded before it is parsed, and every exception has a reason", () => {
  const sources = Repository.files(Repository.root).filter((file) =>
    /^(?:apps|packages)\/[^/]+\/src\/.*\.tsx?$/.test(file),
  )
  const unbounded = sources.filter((file) => {
    const code = codeOf(file)
    return file !== itself && parsing.test(code) && !bounded.test(code)
  })
  expect(unbounded).toEqual(Object.keys(reasons).toSorted())
})
