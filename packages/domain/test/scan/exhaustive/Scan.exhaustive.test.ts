/**
 * The shipped `Scan` over every case of a small scope: every order of up to five rows, every order of responses, and one
 * event at every moment. `SMALL_SCOPE='{"scope":0,"history":0,"choices":[]}'` runs one list of choices alone.
 */
import { expect, test } from "vitest"
import { Choices, runAll } from "./Choices.ts"
import { faults } from "./Faults.ts"
import { histories, scopes } from "./Histories.ts"
import * as SmallScope from "./SmallScope.ts"

/** The first failure, as what repeats it. */
const check = (index: number): { readonly runs: number; readonly failure?: string } => {
  const [scope, rows] = scopes[index] ?? expect.fail(`no scope ${index}`)
  let runs = 0
  for (const [number, history] of histories(1, rows).entries()) {
    const result = runAll((choices) => attempt(scope, history, choices))
    runs += result.runs
    if (result.failure === undefined) continue
    const { choices, reason } = result.failure
    const repeat = JSON.stringify({ scope: index, history: number, choices })
    return { runs, failure: `${scope.name}: ${reason}\n${JSON.stringify(history)}\nSMALL_SCOPE='${repeat}' repeats it` }
  }
  return { runs }
}

/** Of each scope: fewer would mean that it is not exhaustive any more. */
const leastRuns = 400

/** A defect is a failure like others. */
const attempt = (scope: SmallScope.Scope, history: SmallScope.SmallHistory, choices: Choices): string | undefined => {
  try {
    return SmallScope.run(scope, history, choices)
  } catch (error) {
    return `a defect: ${error instanceof Error ? error.message : String(error)}`
  }
}

const alone = process.env["SMALL_SCOPE"]

if (alone !== undefined) {
  test(`one list of choices: ${alone}`, () => {
    const { scope: index, history: number, choices } = JSON.parse(alone)
    const [scope, rows] = scopes[index] ?? expect.fail(`no scope ${index}`)
    const history = histories(1, rows)[number] ?? expect.fail(`no history ${number}`)
    expect(SmallScope.run(scope, history, new Choices(choices))).toBeUndefined()
  })
} else {
  test.each(scopes.map(([{ name }], index) => [name, index] as const))("%s: every run is right", (_, index) => {
    const { runs, failure } = check(index)
    expect(failure).toBeUndefined()
    expect(runs).toBeGreaterThanOrEqual(leastRuns)
  })

  test.each(faults)("finds a planted fault: %s, if %s", (_, name, plant) => {
    const restore = plant()
    try {
      expect(check(scopes.findIndex(([scope]) => scope.name === name)).failure).toMatch(/SMALL_SCOPE=/)
    } finally {
      restore()
    }
  })
}
