/** The `User-Agent`: this package, the runtime, and the program that uses them. */
import * as Result from "effect/Result"
import { InvalidConfiguration } from "../InvalidConfiguration.ts"

/** Equal to the version of package.json. */
export const version = "0.1.0"

/** A program. */
export interface AppInfo {
  readonly name: string
  readonly version?: string
  /** Where its authors can be found. */
  readonly url?: string
}

/** `undefined` in a browser, which has one of its own and would ask the service whether it may send another. */
export const userAgentOf = (app: AppInfo | undefined): Result.Result<string | undefined, InvalidConfiguration> => {
  const runtime = globalThis.navigator?.userAgent ?? ""
  const own = runtime.startsWith("Mozilla/") ? undefined : `transferkit/${version} ${runtime}`.trim()
  if (app === undefined) return Result.succeed(own)
  if (typeof app !== "object" || app === null) {
    return Result.fail(new InvalidConfiguration({ setting: "appInfo", reason: "it must be an object with a name" }))
  }
  const { name, version: release, url } = app
  for (const [part, pattern] of Object.entries({ name: token, version: token, url: visible })) {
    const value: unknown = Object.entries(app).find(([key]) => key === part)?.[1]
    if (value === undefined && part !== "name") continue
    if (typeof value !== "string" || !pattern.test(value)) {
      return Result.fail(new InvalidConfiguration({ setting: `appInfo.${part}`, reason: "a header cannot carry it" }))
    }
  }
  const product = release === undefined ? name : `${name}/${release}`
  const rest = url === undefined ? product : `${product} (${url})`
  return Result.succeed(own === undefined ? own : `${own} ${rest}`)
}

/** The grammar of a product in HTTP. */
const token = /^[\w!#$%&'*+.^`|~-]{1,128}$/
const visible = /^[!-'*-~]{1,256}$/
