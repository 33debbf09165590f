import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as SchemaAOTCompiler from "effect/schema/SchemaAOTCompiler"
import { afterAll } from "vitest"
import * as Transfer from "../src/Transfer.ts"
import * as TransferPage from "../src/TransferPage.ts"
import { readerAgreesWithSchema } from "./fixtures/readerAgreesWithSchema.ts"

// The generated module imports `effect`, so it has to lie where that resolves.
const folder = join(import.meta.dirname, "../node_modules/.aot", String(process.pid))
const asts = [TransferPage.Wire.ast, Transfer.Schema.ast]
mkdirSync(folder, { recursive: true })
writeFileSync(
  join(folder, "decoders.mjs"),
  SchemaAOTCompiler.compile(asts.map((ast) => ({ ast, operations: ["decode", "is"] }))),
)
const { install } = await import(join(folder, "decoders.mjs"))
install(asts)
afterAll(() => rmSync(folder, { recursive: true }))

readerAgreesWithSchema()
