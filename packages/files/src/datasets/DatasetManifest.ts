/** The manifest of a data set: the files that are its state. Who reads these, and no others, sees one state of it. */
import * as JsonDocument from "@transferkit/domain/JsonDocument"
import * as Result from "effect/Result"
import * as S from "effect/Schema"
import * as TransferFormat from "../formats/TransferFormat.ts"

const Partner = S.Struct({
  partner_id: S.String,
  /** A hash of the names and types of the columns, which are the same in all its files. */
  columns: S.String,
  /** Whose transfers they are, if the mirror knows it. */
  base_url: S.optionalKey(S.String),
  /** The state of the mirror's history that is in the files. */
  state: S.String,
  /** The last change of the mirror that is in the files. */
  position: S.BigIntFromString,
  /** The creation up to which all transfers are there. */
  complete_until: S.optionalKey(S.String),
})

const File = S.Struct({
  /** Within the folder. */
  path: S.String,
  partner_id: S.String,
  month: S.String,
  rows: S.Int,
  bytes: S.Int,
  sha256: S.String,
})

/** A file of a month. */
export type File = typeof File.Type

/** The schema of a manifest. */
export const Schema = S.Struct({
  transfers_dataset: S.Literal(1),
  amounts: S.Literals(TransferFormat.amountForms),
  partners: S.Array(Partner),
  files: S.Array(File),
  /** Files that others have replaced, and when. They stay for an hour, for those who read them. */
  replaced: S.Array(S.Struct({ path: S.String, at: S.String })),
}).annotate({ identifier: "DatasetManifest" })

/** A manifest. */
export type DatasetManifest = typeof Schema.Type

/** The name of the manifest in its folder. */
export const name = "manifest.json"

const read = JsonDocument.reader(Schema)
const encode = S.encodeSync(Schema)

/** Reads a manifest from its JSON text. The error says what is wrong with it. */
export const parse = (text: string): Result.Result<DatasetManifest, string> =>
  Result.mapError(read(text), (reason) => `it is not the manifest of a data set: ${reason}`)

/** The JSON text of a manifest. */
export const toJson = (manifest: DatasetManifest): string => `${JSON.stringify(encode(manifest), undefined, 2)}\n`
