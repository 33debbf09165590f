import * as ErrorBody from "@transferkit/http-api/ErrorBody"
import { document } from "@transferkit/http-api/OpenApiDocument"
import * as Paths from "@transferkit/http-api/Paths"
import * as SearchQuery from "@transferkit/http-api/SearchQuery"
import * as Option from "effect/Option"
import { expect, test } from "vitest"

test("writes an error body as the contract shows it", () => {
  expect(ErrorBody.toText([{ code: "a", message: "b" }])).toBe('{"errors":[{"code":"a","message":"b"}]}')
})

test("reads an error body of its shape, and nothing else", () => {
  const text = '{"errors":[{"code":"a","message":"b"}],"more":1}'
  expect(Option.getOrThrow(ErrorBody.fromText(text)).errors).toEqual([{ code: "a", message: "b" }])
  for (const other of [
    "",
    "null",
    "{}",
    "[]",
    '{"errors":"no"}',
    '{"errors":[{"code":1}]}',
    '{"errors":[]}',
    "<html>",
    '"errors"',
    "7",
    '{"errors":[7,"message",{"message":7},{"code":"a","message":null}]}',
  ]) {
    expect(Option.isNone(ErrorBody.fromText(other))).toBe(true)
  }
})

test("reads an error body of any size in bounded memory, and skips entries without a message", () => {
  const entry = { code: "c".repeat(999), message: "m".repeat(9999) }
  const body = ErrorBody.fromText(ErrorBody.toText([entry, ...Array.from({ length: 99 }, () => entry)]))
  const { errors } = Option.getOrThrow(body)
  expect(errors).toHaveLength(ErrorBody.maxErrors)
  expect([errors[0]?.code.length, errors[0]?.message.length]).toEqual([128, 1024])
  expect(ErrorBody.fromText('{"errors":[{"code":1,"message":"m"}]}')).toEqual(
    Option.some({ errors: [{ code: "unknown", message: "m" }] }),
  )
  const mixed = Option.getOrThrow(ErrorBody.fromText('{"errors":[null,1,{"code":"x"},{"message":"only"}]}'))
  expect(mixed.errors).toEqual([{ code: "unknown", message: "only" }])
})

test("the OpenAPI document names just the contract's paths, parameters and security", () => {
  expect(document.openapi).toMatch(/^3\.1\./)
  expect(Object.keys(document.paths)).toEqual(Object.values(Paths))
  const operation = document.paths[Paths.search]?.get
  expect(operation?.parameters.map((parameter) => parameter.name)).toEqual(SearchQuery.names)
  expect(operation?.security).toEqual([{ basic: [] }])
  for (const path of Object.values(Paths)) {
    expect(Object.keys(document.paths[path]?.get?.responses ?? {}), path).toEqual(["200", "400", "401", "429"])
  }
})

test("the OpenAPI document describes each parameter by its row, and nothing more", () => {
  const described = document.paths[Paths.search]?.get?.parameters ?? []
  const rows = Object.entries(SearchQuery.parameters).map(([name, { read: _, ...row }]) => ({ name, ...row }))
  expect(described).toEqual(rows.map((row) => ({ in: "query", required: false, ...row })))
})
