/** A self-contained HTML page: no script, no resource from elsewhere, and a policy that a browser holds it to. */
import { createHash } from "node:crypto"
import { Html, markup, nothing } from "./Html.ts"
import { styles } from "./Styles.ts"

/** The page. On paper, the appendix starts a page of its own, and every page has its title and number. */
export const render = (page: { readonly title: string; readonly body: Html; readonly appendix?: Html }): string => {
  const { title, body, appendix } = page
  const own = `${styles}${running(title)}`
  const hash = createHash("sha256").update(own).digest("base64")
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${new Html(own)}</style>
</head>
<body>
<main>
${body}${
    appendix === undefined || appendix.text.trim() === ""
      ? nothing
      : markup`
<div class="appendix">
<h2>Appendix</h2>
${appendix}
</div>`
  }
</main>
</body>
</html>
`.text
}

/** The title in the margin of each printed page. Escapes leave no character of it to CSS or to HTML. */
const running = (title: string): string => {
  const text = title
    .toWellFormed()
    .replace(/[^\w .,:-]/gu, (character) => `\\${character.codePointAt(0)?.toString(16)} `)
  return `@page{@top-left{content:"${text}"}}\n`
}

/** What matters most, in sentences. */
export const answers = (all: ReadonlyArray<Html>): Html =>
  markup`<ul class="answers">${all.map((answer) => markup`<li>${answer}</li>`)}</ul>
`

/** A figure and what it counts. */
export interface Card {
  readonly figure: Html
  readonly label: string
  /** The class of its colour. */
  readonly tone?: string
}

/** Figures in a row, as many as fit. */
export const cards = (all: ReadonlyArray<Card>): Html =>
  markup`<ul class="cards">${all.map(
    ({ figure, label, tone }) => markup`<li class="${tone}"><b>${figure}</b><span>${label}</span></li>`,
  )}</ul>
`

/** A long list: on a wide screen and on paper it is open, on a narrow screen a reader opens it. */
export const folded = (title: string, size: string, body: Html): Html =>
  markup`<details><summary><h2>${title}</h2><span class="muted">${size}</span></summary>
${body}</details>
`

/** Facts with their names. */
export const facts = (all: ReadonlyArray<readonly [name: string, value: Html]>): Html =>
  markup`<dl>${all.map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
`

/** A command line. Its words stay whole, so that they can be read and typed: a line breaks between them. */
export const command = (line: string): Html =>
  markup`<code class="command">${line
    .split(" ")
    .map((word, index) => markup`${index === 0 ? "" : " "}<span>${word}</span>`)}</code>`

/** Text whose days and months are not broken across lines. */
export const withDays = (text: string): Html =>
  markup`${text
    .split(/(\d{4}-\d\d(?:-\d\d)?)/)
    .map((part, index) => (index % 2 === 1 ? markup`<span class="digits">${part}</span>` : markup`${part}`))}`

/** Lines for people to sign, one for each role. */
export const signatures = (roles: ReadonlyArray<string>): Html =>
  markup`<ul class="signatures">${roles.map((role) => markup`<li><span>${role}</span><span>Date</span></li>`)}</ul>
`

/** A part that only a screen shows, and what paper says in its place. */
export const onScreen = (body: Html, onPaper: string): Html =>
  markup`<div class="on-screen">${body}</div><p class="on-paper">${onPaper}</p>
`

/** A part of the page under a heading. */
export const section = (title: string, body: Html): Html =>
  markup`<section>
<h2>${title}</h2>
${body}
</section>
`
