import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** Tests that run by themselves: they take minutes or much memory, or need what does not come with the repository. */
const separate = ["browser", "docs", "hostile", "large", "postgres", "runtime", "sea", "shells"]
/** Tests that repeat what they draw more often in this mode. */
const thorough = [
  "packages/domain/test/**/{*.laws,Calendar.vectors,Checkpoint,Reconciliation,Scan.figures,Summary,Timestamp,exactDecimal}.test.ts",
  "packages/conformance/test/conformance.test.ts",
  "packages/fake/test/fuzz.test.ts",
  "packages/files/test/partitions/LargeReconciliation.test.ts",
  "apps/cli/test/{examples,export,watch}.test.ts",
]
const filesOf = (mode: string): string => `**/*.${mode}.test.ts`

const usual = [
  "packages/*/test/**/*.test.ts",
  "apps/*/test/**/*.test.ts",
  "scripts/test/**/*.test.ts",
  "site/playground/test/**/*.test.ts",
  "examples/vitest/*.test.ts",
]
const included = (mode: string): Array<string> => {
  if (mode === "thorough") return thorough
  return separate.includes(mode) ? [`{apps,packages,site}/${filesOf(mode)}`] : usual
}

/**
 * Tests that share a worker with others, because loading Effect takes longer than most of them. Not those that measure time
 * or memory, or change what others see, such as the environment.
 */
const sharing = [
  "packages/{conformance,http-api,mirror,report}/test/**/*.test.ts",
  "packages/domain/test/**/!(budgets|copies|idSet|RefreshPlan.laws|Wire.*).test.ts",
  "packages/fake/test/**/!(delivery|faults|paging-faults|reload|robustness).test.ts",
  "packages/files/test/**/!(Csv|ScratchFile|TextFile).test.ts",
  "packages/http-client/test/**/!(encodings|hooks|options|promiseCalls|proxies|RetryPolicy|throttle).test.ts",
  "packages/in-memory/test/!(growth|memory).test.ts",
  "packages/mcp/test/**/!(MirrorQuery).test.ts",
  "apps/validation-lambda/test/**/!(Delivery|Pause|start).test.ts",
  "scripts/test/**/!(Seeds).test.ts",
]
/** The same of the command, among themselves. */
const sharingCommand = [
  "apps/cli/test/!(FileLock|Progress|action|bundle|examples|export|interrupt|jsonFiles|mcp*|monitoring|progress.terminal|watch*|workers).test.ts",
]

/** The longest of each project, which a fresh clone has no times of: one that began last would run alone at the end. */
const longest = [
  "apps/cli/test/workers.test.ts",
  "apps/cli/test/export.test.ts",
  "apps/cli/test/sync.test.ts",
  "packages/mirror/test/workers.sqlite.test.ts",
  "packages/mirror/test/sqlite.test.ts",
  "packages/mirror/test/lease.sqlite.test.ts",
  "packages/http-client/test/faults.test.ts",
  "packages/mirror/test/PostgresClient.test.ts",
]
const isLong = ({ moduleId }: TestSpecification): boolean => longest.some((path) => moduleId.endsWith(`/${path}`))

class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const sorted = await super.sort(files)
    const projects = [...Map.groupBy(sorted, ({ project }) => project).values()]
    return projects.flatMap((all) => [...all.filter(isLong), ...all.filter((file) => !isLong(file))])
  }
}

export default defineConfig(({ mode }) => {
  const exclude = ["**/node_modules/**", ...separate.filter((other) => other !== mode).map(filesOf)]
  const options = {
    env: { THOROUGH: mode === "thorough" ? "1" : "0" },
    setupFiles: ["./scripts/test/no-console-output.ts"],
    pool: "forks",
    // Real processes and sockets are slow where others use the machine too: a limit only ends what would never end.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 240_000, interval: 20 } },
    // What Node imports of a CommonJS package is what tests import of it.
    deps: { interopDefault: false },
  } as const
  const together = { ...options, name: "together", include: sharing, exclude, isolate: false }
  const command = { ...options, name: "command", include: sharingCommand, exclude, isolate: false }
  const include = included(mode)
  const alone = {
    ...options,
    name: "alone",
    include,
    exclude: include === usual ? [...exclude, ...sharing, ...sharingCommand] : exclude,
  }
  return {
    test: {
      globalSetup: ["./scripts/test/drawSeed.ts", "./scripts/test/runFolder.ts"],
      sequence: { sequencer: LongestFirst },
      // More than there are cores, because many tests wait for other processes.
      maxWorkers: availableParallelism() + 1,
      projects: [{ test: alone }, ...(include === usual ? [{ test: together }, { test: command }] : [])],
    },
  }
})
