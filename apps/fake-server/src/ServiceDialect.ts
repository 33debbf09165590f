/** How a deployment behaves if the contract is silent, as `transfers probe` detected it. */
import * as fs from "node:fs/promises"
import { maxLimit } from "@transferkit/domain/SearchRequest"
import type { FakeOptions } from "@transferkit/fake/FakeOptions"
import { sortOrders } from "@transferkit/in-memory/TransferStore"
import * as Effect from "effect/Effect"
import * as UserDirectories from "effect/persistence/UserDirectories"
import * as S from "effect/Schema"
import { InvalidFlag } from "./UsageError.ts"

const Dialect = S.Struct({
  lte_token: S.optionalKey(S.String),
  order: S.optionalKey(S.Literals(sortOrders)),
  default_limit: S.optionalKey(S.Int.check(S.isGreaterThan(0))),
  ignores_unknown_parameters: S.optionalKey(S.Boolean),
})

/** A part of a file, so that nothing else of a profile is looked at, such as its secret key. */
const Probed = S.Struct({ dialect: Dialect })
const Profiles = S.Struct({ profiles: S.Record(S.String, S.Struct({ dialect: S.optionalKey(Dialect) })) })

/** The options that behave like a profile of `transfers`, or like a file that `transfers probe --output json` wrote. */
export const read = Effect.fnUntraced(function* (profile: string) {
  const fail = (reason: string) => new InvalidFlag({ flag: "dialect", reason })
  const isFile = /[/\\]|\.json$/.test(profile)
  const folder = UserDirectories.make({ platform: "linux" }).config("transfers")
  const file = isFile
    ? profile
    : `${yield* Effect.mapError(folder, () => fail("there is no home folder."))}/profiles.json`
  const content = yield* Effect.tryPromise({
    try: async (): Promise<unknown> => JSON.parse(await fs.readFile(file, "utf8")),
    catch: (error) => fail(`${file}: ${error instanceof Error ? error.message : String(error)}`),
  })
  const reject = (error: S.SchemaError) => fail(`${file}: ${error.message.replaceAll(/\s+/g, " ")}`)
  const dialect = isFile
    ? (yield* Effect.mapError(S.decodeUnknownEffect(Probed)(content), reject)).dialect
    : (yield* Effect.mapError(S.decodeUnknownEffect(Profiles)(content), reject)).profiles[profile]?.dialect
  if (dialect === undefined) {
    return yield* fail(
      `the profile ${JSON.stringify(profile)} has no dialect. transfers probe --profile NAME --save detects one.`,
    )
  }
  const options: Pick<FakeOptions, "lteToken" | "order" | "defaultLimit" | "lenient"> = {
    lteToken: dialect.lte_token,
    order: dialect.order,
    defaultLimit: Math.min(dialect.default_limit ?? maxLimit, maxLimit),
    lenient: dialect.ignores_unknown_parameters ?? false,
  }
  return options
})
