/** JSON, indented and coloured; other text as it is. */
const pretty = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}

const token = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

export const JsonText = ({ text }: { readonly text: string }) => {
  const source = pretty(text)
  const parts: Array<preact.ComponentChild> = []
  let end = 0
  for (const match of source.matchAll(token)) {
    const [whole, quoted, colon] = match
    parts.push(source.slice(end, match.index))
    const kind = quoted === undefined ? "literal" : colon === undefined ? "string" : "name"
    parts.push(<span class={kind}>{whole}</span>)
    end = match.index + whole.length
  }
  parts.push(source.slice(end))
  return (
    <pre class="json" tabIndex={0} role="region" aria-label="Body">
      {parts}
    </pre>
  )
}
