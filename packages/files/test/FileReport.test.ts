/** The JSON Schemas beside the package are those of its reports. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import * as S from "effect/Schema"
import { expect, test } from "vitest"
import * as ExportManifest from "../src/exports/ExportManifest.ts"
import * as FileReport from "../src/FileReport.ts"

test.each<[string, S.Constraint]>([
  ["reconciliation-report.json", FileReport.ReconciliationReport],
  ["verification-report.json", FileReport.VerificationReport],
  ["comparison-report.json", FileReport.ComparisonReport],
  ["export-manifest.json", ExportManifest.Schema],
])("%s is made of its schema", async (file, source) => {
  const { schema, definitions } = S.toJsonSchemaDocument(source, { onExcessProperty: "ignore" })
  const written: unknown = JSON.parse(await readFile(join(import.meta.dirname, "../schemas", file), "utf8"))
  expect(written).toEqual({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    ...schema,
    $defs: definitions,
  })
})
