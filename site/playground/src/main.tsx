/** Renders the playground into its page; with `?only=<tool>`, one tool without the frame around it, for other pages. */
import { render } from "preact"
import { useState } from "preact/hooks"
import * as Address from "./Address.ts"
import { Playground, Tool } from "./Playground.tsx"

const Embedded = () => {
  const [address, setAddress] = useState(() => Address.parse(location.hash))
  return (
    <main id="main">
      <Tool {...address} onSettings={(settings) => setAddress({ ...address, settings })} />
    </main>
  )
}

const isEmbedded = new URLSearchParams(location.search).has("embedded")
document.querySelector("noscript")?.remove()
document.documentElement.classList.toggle("embedded", isEmbedded)
const root = document.querySelector("#playground")
if (root !== null) render(isEmbedded ? <Embedded /> : <Playground />, root)
