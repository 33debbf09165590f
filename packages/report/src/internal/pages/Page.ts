/** A self-contained HTML page: no script, no resource from elsewhere, and a policy that a browser holds it to. */
import { createHash } from "node:crypto"
import { Html, markup } from "./Html.ts"
import { styles } from "./Styles.ts"

/** The page. */
export const render = ({ title, body }: { readonly title: string; readonly body: Html }): string =>
  markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${new Html(styles)}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`.text

const hash = createHash("sha256").update(styles).digest("base64")

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

/** Facts with their names. */
export const facts = (all: ReadonlyArray<readonly [name: string, value: Html]>): Html =>
  markup`<dl>${all.map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
`

/** A part of the page under a heading. */
export const section = (title: string, body: Html): Html =>
  markup`<section>
<h2>${title}</h2>
${body}
</section>
`
