/** XML is read in bounded memory, or rejected at its line. */
import { describe, expect, test } from "vitest"
import * as Xml from "../src/formats/Xml.ts"

const read = async (...chunks: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const events: Array<string> = []
  const reading = Xml.read(
    (async function* () {
      yield* chunks
    })(),
    {
      open: (name, attributes, line) => events.push(`${line} <${name} ${JSON.stringify(attributes)}>`),
      text: (text) => events.push(text),
      close: (name) => events.push(`</${name}>`),
    },
  )
  for await (const _ of reading) continue
  return events
}

const nested = (depth: number) => "<a>".repeat(depth) + "</a>".repeat(depth)
const attributes = (count: number) => Array.from({ length: count }, (_, index) => ` a${index}=""`).join("")

test("gives elements with their lines, their texts and CDATA, without prefixes", async () => {
  expect(await read('<x:a>\n<x:b c="1" ', 'x:d="2"/>te', "xt<![CDATA[<&]]></x:a>")).toEqual([
    "1 <a {}>",
    "\n",
    '2 <b {"c":"1","x:d":"2","d":"2"}>',
    "</b>",
    "text",
    "<&",
    "</a>",
  ])
})

test("reads elements that nest 100 deep, and 100 attributes of an element, for each of them", async () => {
  expect(await read(`<b>${nested(99)}${nested(99)}</b>`)).toHaveLength(398)
  expect(await read(`<b${attributes(100)}><c${attributes(100)}/></b>`)).toHaveLength(4)
})

describe("rejects", () => {
  test.each([
    ["elements that nest deeper", `\n${nested(101)}`, "line 2: its elements nest too deep"],
    ["an element of more attributes", `<b>\n<c${attributes(101)}/></b>`, "line 2: an element has too many attributes"],
    ["a document without its end", "<a>\n<b></b>", "line 2: it is not well-formed XML: Unclosed root tag"],
    ["a DOCTYPE", "<!DOCTYPE a>\n<a/>", "line 1: it has a DOCTYPE, which such a file never has"],
  ])("%s", async (_, text, reason) => {
    await expect(read(text)).rejects.toThrow(reason)
  })
})
