/** A test that prints to the console fails. */
import { afterEach, beforeEach, expect, vi } from "vitest"

const methods = ["debug", "error", "info", "log", "warn"] as const

beforeEach(() => {
  for (const method of methods) vi.spyOn(console, method)
})

afterEach(() => {
  for (const method of methods) {
    expect(vi.mocked(console[method]).mock.calls, `console.${method} was called`).toEqual([])
  }
  vi.restoreAllMocks()
})
