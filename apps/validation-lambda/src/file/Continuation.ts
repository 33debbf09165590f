/** The signature of a file's continuation. */
import type * as Redacted from "effect/Redacted"
import * as Signature from "../Signature.ts"
import type { FileRequest } from "./FileRequest.ts"

/** Of what a continuation says. */
export const signature = (key: Redacted.Redacted, file: FileRequest): string => Signature.of(key, statementOf(file))

/** Whether a continuation is as it was returned. */
export const isGenuine = (key: Redacted.Redacted, file: FileRequest): boolean =>
  Signature.isOf(key, statementOf(file), file.signature)

const statementOf = ({ bucket, key, etag, tally, capabilities }: FileRequest): Signature.Statement => ({
  kind: "continuation of a file",
  bucket,
  key,
  etag,
  tally,
  ...(capabilities === undefined ? {} : { capabilities }),
})
