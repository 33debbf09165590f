/** The page: one tool at a time, as the address says. */
import type { ComponentType } from "preact"
import { useEffect, useState } from "preact/hooks"
import * as Address from "./Address.ts"
import { ScanTool } from "./scan/ScanTool.tsx"
import type { ToolProps } from "./ToolProps.ts"

/** The other tools are loaded when somebody opens them. */
const loaders: Readonly<Record<Exclude<Address.Tool, "scan">, () => Promise<ComponentType<ToolProps>>>> = {
  filter: () => import("./filter/FilterTool.tsx").then(({ FilterTool }) => FilterTool),
  ledger: () => import("./ledger/BooksTool.tsx").then(({ BooksTool }) => BooksTool),
  fake: () => import("./fake/FakeTool.tsx").then(({ FakeTool }) => FakeTool),
}

const titles: Readonly<Record<Address.Tool, string>> = {
  scan: "Scan",
  filter: "Filter",
  ledger: "Money and books",
  fake: "Fake",
}

/** Sentences under the title of each tool. */
const leads: Readonly<Record<Address.Tool, string>> = {
  scan: "TransferKit reads many time ranges in parallel. You get every transfer exactly once, whatever order the service lists them in.",
  filter: "The service filters by one interval. TransferKit takes any set of instants, and plans the requests for it.",
  ledger: "Paste a ledger: see how it is read, or why it is refused, and which rows do not match the service.",
  fake: "The fake service with its console, in this page: add a fault, and see which client survives it.",
}

/** The tool of the address, which changes with it. */
export const Playground = () => {
  const [address, setAddress] = useState(() => Address.parse(location.hash))
  useEffect(() => {
    const follow = () => setAddress(Address.parse(location.hash))
    addEventListener("hashchange", follow)
    return () => removeEventListener("hashchange", follow)
  }, [])
  useEffect(() => {
    document.title = `${titles[address.tool]} · TransferKit playground`
  }, [address.tool])
  return (
    <>
      <nav aria-label="Tools">
        <ul>
          {Address.tools.map((tool) => (
            <li key={tool}>
              <a href={`#${tool}`} aria-current={tool === address.tool ? "page" : undefined}>
                {titles[tool]}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <main id="main" tabIndex={-1}>
        <h2>{titles[address.tool]}</h2>
        <p class="lead">{leads[address.tool]}</p>
        <Tool
          key={address.tool}
          {...address}
          onSettings={(settings) => replace({ ...address, settings }, setAddress)}
        />
      </main>
    </>
  )
}

/** Settings replace each other in the history: Back leads to the tool before. */
const replace = (address: Address.Address, setAddress: (address: Address.Address) => void): void => {
  history.replaceState(null, "", Address.print(address))
  setAddress(address)
}

interface Shown extends Address.Address {
  readonly onSettings: ToolProps["onSettings"]
}

/** One tool, for this page and for pages that show only it. */
export const Tool = ({ tool, settings, onSettings }: Shown) => {
  const [loaded, setLoaded] = useState<ComponentType<ToolProps>>()
  useEffect(() => {
    if (tool !== "scan") void loaders[tool]().then((component) => setLoaded(() => component))
  }, [tool])
  if (tool === "scan") return <ScanTool settings={settings} onSettings={onSettings} />
  const Loaded = loaded
  return Loaded === undefined ? <p class="note">Loading…</p> : <Loaded settings={settings} onSettings={onSettings} />
}
