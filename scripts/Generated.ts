/** The files of the repository that are made of its sources, and need no build and no running program. */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as BrunoCollection from "./BrunoCollection.ts"
import * as ErrorsPage from "./ErrorsPage.ts"
import * as JsonSchemas from "./JsonSchemas.ts"
import * as MigrationTexts from "./MigrationTexts.ts"
import * as QualityPage from "./mutation/QualityPage.ts"
import * as ConsumersPage from "./packaging/ConsumersPage.ts"
import * as Repository from "./Repository.ts"
import * as TransferOf from "./TransferOf.ts"

/** Their texts, by their place in the repository. JSON is written before it is formatted. */
export const all = (): ReadonlyMap<string, string> =>
  new Map([
    [TransferOf.file, TransferOf.current()],
    [MigrationTexts.file, MigrationTexts.current()],
    ...JsonSchemas.all(),
    ...[...BrunoCollection.all()].map(([file, text]) => [join(BrunoCollection.folder, file), text] as const),
    ["docs/consumers.md", ConsumersPage.make()],
    ["docs/errors.md", ErrorsPage.markdown()],
    [
      "docs/quality.md",
      QualityPage.markdown(json("docs/quality/mutation.json"), json("scripts/mutation/explanations.json")),
    ],
  ])

const json = <A>(file: string): A => JSON.parse(readFileSync(join(Repository.root, file), "utf8"))

/** Those that exist and are not made any more. */
export const stale = (): ReadonlyArray<string> => {
  const made = all()
  return globSync([`${BrunoCollection.folder}/**/*.{bru,json}`, "packages/*/schemas/*.json"], { cwd: Repository.root })
    .filter((file) => !made.has(file))
    .sort()
}

/** Those that differ from what is made now: the test of this, and the reason to run `pnpm generate`. */
export const outdated = (): ReadonlyArray<string> => [
  ...[...all()].flatMap(([file, text]) => (isSame(file, text) ? [] : [file])),
  ...stale(),
]

const isSame = (file: string, text: string): boolean => {
  const found = readFileSync(join(Repository.root, file), "utf8")
  // The formatter may break its lines elsewhere.
  return file.endsWith(".json")
    ? JSON.stringify(JSON.parse(found)) === JSON.stringify(JSON.parse(text))
    : found === text
}
