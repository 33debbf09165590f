/** The aggregate `decimal_sum`, which sums exactly or fails, on any database. */
import { beforeAll, describe, expect, test } from "vitest"
import type { Database } from "../Database.ts"
import * as Lab from "../Lab.ts"

export const decimalSumSuite = (database: Database) =>
  describe(`decimal_sum in ${database.name}`, () => {
    let lab: Lab.Lab
    beforeAll(async () => {
      lab = Lab.make(await database.fresh(), { count: 0 })
      await Lab.sync(lab)
    })

    /** Rows of a group and an amount, in a column that has texts. */
    const amounts = (...rows: ReadonlyArray<readonly [group: number, amount: string]>) =>
      `(${rows.map(([group, amount]) => `SELECT ${group} AS place, CAST(${amount} AS TEXT) AS amount`).join(" UNION ALL ")}) AS amounts`

    test("adds integers beyond those that JavaScript's numbers hold exactly", async () => {
      const rows = await Lab.query(
        lab,
        "SELECT CAST(decimal_sum(units) AS TEXT) AS total FROM (SELECT 9007199254740993 AS units UNION ALL SELECT 9223372036854775807) AS numbers",
      )
      expect(rows).toEqual([{ total: "9232379236109516800" }])
    })

    test("leaves out NULL", async () => {
      const from = amounts([1, "'1.5'"], [1, "NULL"], [1, "'-0.25'"])
      expect(await Lab.query(lab, `SELECT CAST(decimal_sum(amount) AS TEXT) AS total FROM ${from}`)).toEqual([
        { total: "1.25" },
      ])
    })

    test.each([
      ["texts", amounts([1, "NULL"], [1, "NULL"])],
      ["texts, of which there are none", `${amounts([1, "'1'"])} WHERE place = 2`],
      ["integers, of which there are none", "(SELECT 1 AS amount) AS numbers WHERE amount = 2"],
    ])("is NULL if there is nothing to add, as SUM is: %s", async (_, from) => {
      expect(await Lab.query(lab, `SELECT decimal_sum(amount) AS total FROM ${from}`)).toEqual([{ total: null }])
    })

    test("fails with the value if one is no decimal, and returns no row of another group either", async () => {
      const from = amounts([1, "'1'"], [2, "'12,50'"], [2, "'3'"], [2, "'4,50'"], [3, "'5'"])
      for (const [query, named] of [
        [`SELECT decimal_sum(amount) AS total FROM ${from}`, '"12,50"'],
        [`SELECT place, decimal_sum(amount) AS total FROM ${from} GROUP BY place ORDER BY place`, '"12,50"'],
        [`SELECT place FROM ${from} GROUP BY place HAVING decimal_sum(amount) > '0'`, '"12,50"'],
        [`SELECT decimal_sum(amount) AS total FROM ${amounts([1, "''"])}`, '""'],
      ] as const) {
        await expect(Lab.query(lab, query)).rejects.toThrow(named)
      }
    })
  })
