/** The memory of a store. */
import * as v8 from "node:v8"
import * as vm from "node:vm"
import * as TransferGenerator from "@transferkit/in-memory/TransferGenerator"
import * as TransferStore from "@transferkit/in-memory/TransferStore"
import * as Result from "effect/Result"
import { expect, test } from "vitest"

/** The heap after a full collection. */
const heapUsed = (): number => {
  v8.setFlagsFromString("--expose-gc")
  vm.runInNewContext("gc")()
  return process.memoryUsage().heapUsed
}

test("stores a transfer in its bytes and less than a kilobyte", () => {
  const count = 20_000
  const generator = TransferGenerator.make({ count })
  const store = TransferStore.make()
  const before = heapUsed()
  for (let index = 0; index < count; index++) {
    Result.getOrThrow(TransferStore.insertJson(store, TransferGenerator.json(generator, index)))
  }
  expect(TransferStore.size(store)).toBe(count)
  expect((heapUsed() - before) / count).toBeLessThan(1000)
})

test("spends no memory on generated transfers, and little on serving them", () => {
  const before = heapUsed()
  const stores = Array.from({ length: 100 }, (_, seed) =>
    TransferStore.make({ generator: TransferGenerator.make({ count: 10_000_000, seed }) }),
  )
  const found = stores.map((store) => TransferStore.search(store, { created_at: {}, limit: 20 }).rows.length)
  expect(found).toEqual(Array(100).fill(20))
  expect(heapUsed() - before).toBeLessThan(4 * 1024 * 1024)
})
