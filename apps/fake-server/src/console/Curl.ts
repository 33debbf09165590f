/** Requests as curl commands for a POSIX shell. The secret stays in the environment. */
import type { Entry } from "@transferkit/fake/Journal"

/** The parameters of a request, one pair for each value. */
export const pairsOf = ({ parameters }: Pick<Entry, "parameters">): ReadonlyArray<readonly [string, string]> =>
  Object.entries(parameters).flatMap(([name, value]) => [value].flat().map((one) => [name, one] as const))

/** A request of the contract. */
export interface Request {
  readonly method?: string
  readonly path: string
  readonly parameters: ReadonlyArray<readonly [name: string, value: string]>
  readonly partner: string
}

const word = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** `-G` puts the parameters into the URL. */
const methodOf = (method: string): string => (method === "GET" ? "" : method === "HEAD" ? " -I" : ` -X ${word(method)}`)

/** Where the service is: where the page came from, unless it says otherwise. */
const serviceUrl = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="service"]')?.content ?? location.origin

/** The command that repeats a request. */
export const command = ({ method = "GET", path, parameters, partner }: Request): string => {
  const credentials = `${word(`${partner}:`)}"$TRANSFERS_SECRET_KEY"`
  const head = `curl -G${methodOf(method)} -u ${credentials} ${word(serviceUrl() + path)}`
  return [head, ...parameters.map(([name, value]) => `  --data-urlencode ${word(`${name}=${value}`)}`)].join(" \\\n")
}
