/** The console page. It does nothing that the operations under /_fake do not do. */
import { render } from "preact"
import { App } from "./App.tsx"

document.querySelector("noscript")?.remove()
render(<App />, document.body)
