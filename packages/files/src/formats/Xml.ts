/** XML as events, in bounded memory: without DTDs, entities of its own, or deep nesting. */
import sax from "sax"

/** What to do with elements. Names have no prefix. */
export interface Handlers {
  /** `line` counts from 1. */
  readonly open: (name: string, attributes: Readonly<Record<string, string>>, line: number) => void
  readonly text: (text: string) => void
  readonly close: (name: string) => void
}

const maxDepth = 100
const maxAttributes = 100

/** Reads a document. Yields after each chunk, so that the reader can take what its handlers collected. */
export async function* read(chunks: AsyncIterable<string>, handlers: Handlers): AsyncGenerator<void> {
  const parser = sax.parser(true)
  let depth = 0
  let attributes = 0
  let hasPrefix = false
  const reject = (reason: string): never => {
    throw new Error(`line ${parser.line + 1}: ${reason}`)
  }
  Object.assign(parser, {
    onerror: ({ message }: Error) => reject(`it is not well-formed XML: ${message.split("\n", 1)[0]}`),
    ondoctype: () => reject("it has a DOCTYPE, which such a file never has"),
    onattribute: ({ name }: { readonly name: string }) => {
      if (++attributes > maxAttributes) reject("an element has too many attributes")
      if (name.includes(":")) hasPrefix = true
    },
    onopentag: (tag: sax.Tag) => {
      attributes = 0
      if (++depth > maxDepth) reject("its elements nest too deep")
      // Few elements have attributes with a prefix, and looking at each again takes a fifth of the time.
      if (hasPrefix) {
        hasPrefix = false
        for (const name of Object.keys(tag.attributes)) tag.attributes[localOf(name)] = tag.attributes[name] ?? ""
      }
      handlers.open(localOf(tag.name), tag.attributes, parser.line + 1)
    },
    onclosetag: (name: string) => {
      depth--
      handlers.close(localOf(name))
    },
    ontext: handlers.text,
    oncdata: handlers.text,
  })
  for await (const chunk of chunks) {
    parser.write(chunk)
    yield
  }
  parser.close()
  yield
}

const localOf = (name: string): string => name.slice(name.indexOf(":") + 1)
