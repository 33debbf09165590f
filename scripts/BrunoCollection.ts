/** A collection for Bruno, the API client whose collections are text files: made of the OpenAPI document. */
import { createRequire } from "node:module"
import { document } from "../packages/http-api/src/OpenApiDocument.ts"

/** What is used of Bruno's own reader and writer, which has no types. */
interface Language {
  readonly jsonToBruV2: (request: object) => string
  readonly bruToJsonV2: (text: string) => Request
  readonly jsonToCollectionBru: (settings: object) => string
  readonly collectionBruToJson: (text: string) => { readonly auth: { readonly basic: Credentials } }
  readonly envJsonToBruV2: (environment: object) => string
  readonly bruToEnvJsonV2: (text: string) => { readonly variables: ReadonlyArray<Variable> }
}

interface Credentials {
  readonly username: string
  readonly password: string
}

interface Variable {
  readonly name: string
  readonly value: string
}

/** A request, as Bruno reads it. */
export interface Request {
  readonly meta: { readonly name: string }
  readonly http: { readonly method: string; readonly url: string; readonly auth: string }
  readonly params?: ReadonlyArray<Variable & { readonly enabled: boolean }>
}

/** Bruno's own reader and writer. */
export const language: Language = createRequire(import.meta.url)("@usebruno/lang")

/** The folder of the collection. */
export const folder = "deploy/bruno"

/** The texts of its files, by their place in the folder. */
export const all = (): ReadonlyMap<string, string> =>
  new Map([
    [
      "bruno.json",
      `${JSON.stringify({ version: "1", name: document.info.title, type: "collection" }, undefined, 2)}\n`,
    ],
    ["collection.bru", language.jsonToCollectionBru({ auth: { mode: "basic", basic: credentials } })],
    ["environments/fake.bru", environment("http://127.0.0.1:8787", "demo", "demo-secret")],
    ["environments/live.bru", environment("https://api.example.com", "your-partner-id", undefined)],
    ...operations().map(
      (operation, index) =>
        [`${operation.summary}.bru`, language.jsonToBruV2(requestOf(operation, index + 1))] as const,
    ),
  ])

const credentials: Credentials = { username: "{{partner_id}}", password: "{{secret_key}}" }

/** A secret without a value is asked for, and is not kept in a file. */
const environment = (base_url: string, partner_id: string, secret_key: string | undefined): string =>
  language.envJsonToBruV2({
    variables: Object.entries({ base_url, partner_id, secret_key }).map(([name, value]) => ({
      name,
      value: value ?? "",
      enabled: true,
      secret: value === undefined,
    })),
  })

interface Operation {
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly parameters: ReadonlyArray<{ readonly name: string; readonly example?: unknown }>
}

const operations = (): ReadonlyArray<Operation> =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    (["get", "post", "put", "patch", "delete"] as const).flatMap((method) => {
      const operation = methods[method]
      if (operation === undefined) return []
      const { summary = path, description = "", parameters = [] } = operation
      return [{ method, path, summary, description, parameters }]
    }),
  )

const requestOf = ({ method, path, summary, description, parameters }: Operation, seq: number): object => {
  const params = parameters.flatMap(({ name, example = "" }) =>
    [example].flat().map((value) => ({
      name,
      value: String(value),
      type: "query",
      // An id or a cursor of the document is in no data.
      enabled: name === "limit" || name === "created_at",
    })),
  )
  const query = params.filter(({ enabled }) => enabled).map(({ name, value }) => `${name}=${value}`)
  const url = `{{base_url}}${path}${query.length === 0 ? "" : `?${query.join("&")}`}`
  return {
    meta: { name: summary, type: "http", seq },
    http: { method, url, body: "none", auth: "inherit" },
    params,
    assertions: [{ name: "res.status", value: "eq 200", enabled: true }],
    docs: description,
  }
}
