import { readerAgreesWithSchema } from "./fixtures/readerAgreesWithSchema.ts"

readerAgreesWithSchema()
