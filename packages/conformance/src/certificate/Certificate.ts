/** What a deployment was like at one time: each law with its verdict, and the behaviour where the contract is silent. */
import * as JsonDocument from "@transferkit/domain/JsonDocument"
import * as ServiceBehaviour from "@transferkit/http-api/ServiceBehaviour"
import * as Result from "effect/Result"
import * as S from "effect/Schema"

const describe = <A extends S.Top>(schema: A, description: string) => schema.annotate({ description })

/** A request and its response, as evidence. */
export const Evidence = S.Struct({
  request: describe(S.String, "As a curl command, with placeholders for the credentials"),
  response: S.optionalKey(
    S.Struct({
      status: S.Int,
      headers: S.Record(S.String, S.String),
      body: describe(
        S.String,
        "The start of it; of a page, the ids and times of creation; of another success, its shape",
      ),
    }),
  ),
}).annotate({ identifier: "Evidence" })

/** A request and its response, as evidence. */
export type Evidence = typeof Evidence.Type

/** The verdicts. */
export const verdicts = ["kept", "broken", "not decidable"] as const

/** One law and its verdict. */
export const LawResult = S.Struct({
  id: S.NonEmptyString,
  meaning: S.String,
  verdict: S.Literals(verdicts),
  found: describe(S.String, "What was observed, or why the law is not decidable"),
  evidence: S.optionalKey(Evidence),
}).annotate({ identifier: "LawResult" })

/** One law and its verdict. */
export type LawResult = typeof LawResult.Type

/** An Ed25519 signature of all the rest. */
export const SignatureBlock = S.Struct({
  algorithm: S.Literal("Ed25519"),
  public_key: describe(S.String, "DER (SPKI) in Base64"),
  value: describe(S.String, "The signature in Base64"),
}).annotate({ identifier: "Signature" })

/** The schema of the document. */
export const Schema = S.Struct({
  $schema: S.optionalKey(S.String),
  certificate: S.Literal(1),
  origin: describe(S.String, "The base URL of the deployment"),
  made_at: describe(S.String, "RFC 3339, in UTC"),
  version: describe(S.String, "Of the program that made it"),
  requests: describe(S.Int, "How many were sent"),
  laws: S.Array(LawResult),
  behaviour: ServiceBehaviour.Schema,
  signature: S.optionalKey(SignatureBlock),
}).annotate({ title: "Certificate", description: "What transfers certify found out about a deployment" })

/** The document. */
export type Certificate = typeof Schema.Type

/** How many laws have each verdict. */
export const countsOf = ({ laws }: Certificate): Readonly<Record<(typeof verdicts)[number], number>> => {
  const count = (verdict: (typeof verdicts)[number]) => laws.filter((law) => law.verdict === verdict).length
  return { kept: count("kept"), broken: count("broken"), "not decidable": count("not decidable") }
}

/** Reads a certificate. Fails with the first thing that is wrong, as a clause. */
export const fromJson = (text: string): Result.Result<Certificate, string> =>
  Result.mapError(read(text), (reason) => `it is not a certificate: ${reason.replaceAll(/\s+/g, " ").slice(0, 200)}`)

const read = JsonDocument.reader(Schema)
