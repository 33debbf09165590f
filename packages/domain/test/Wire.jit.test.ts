// First, so that the schemas below are compiled when they are first used.
import "effect/schema/SchemaJITCompiler/enable"
import { readerAgreesWithSchema } from "./fixtures/readerAgreesWithSchema.ts"

readerAgreesWithSchema()
