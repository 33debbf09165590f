/** The header: views, partner, clock, and whether faults are active. */
import { useEffect, useState } from "preact/hooks"
import { type Address, focusInstead, views } from "./Address.ts"
import { Clock } from "./Clock.tsx"
import type { Health } from "./Fake.ts"
import * as FakeClient from "./FakeClient.ts"
import { Icon } from "./Icon.tsx"
import { useNotice } from "./Notice.tsx"

interface Properties {
  readonly address: Address
  readonly health: Health | undefined
  readonly partner: string
  readonly onPartner: (partner: string) => void
  /** The number of active rules. */
  readonly rules: number
  readonly refresh: () => Promise<void>
  readonly refreshClock: () => Promise<void>
  /** Lists the keys. */
  readonly onKeys: () => void
}

export const Header = ({ address, health, partner, onPartner, rules, refresh, refreshClock, onKeys }: Properties) => (
  <header class="top">
    <div class="top-row">
      <h1>
        <img src="favicon.svg" alt="" width="22" height="22" /> transfers-fake
      </h1>
      <nav class="views" aria-label="Views">
        {views.map((each) => (
          <a
            key={each}
            href={address.linkTo(each)}
            class={each}
            aria-current={each === address.view ? "page" : undefined}
          >
            {each}
          </a>
        ))}
      </nav>
      {rules > 0 && (
        <a class="fault-badge" href="#faults" onClick={focusInstead("faults")}>
          <Icon name="warning" />
          <span>
            {rules}{" "}
            <span class="unit">
              {rules === 1 ? "fault" : "faults"}
              <span class="wide"> active</span>
            </span>
          </span>
        </a>
      )}
      <button
        type="button"
        class="icon-button keys"
        aria-label="Keys"
        aria-keyshortcuts="?"
        title="Keys (?)"
        onClick={onKeys}
      >
        ?
      </button>
      <a class="reference" href="/docs">
        Reference
      </a>
    </div>
    {health !== undefined && (
      <div class="top-row tools">
        <label class="field">
          <span>Partner</span>
          <select value={partner} onChange={(event) => onPartner(event.currentTarget.value)}>
            {health.partners.map((each) => (
              <option value={each.partner}>{each.partner}</option>
            ))}
          </select>
        </label>
        <Clock now={health.now} refresh={refreshClock} />
        <Reset refresh={refresh} />
        <Theme />
      </div>
    )}
  </header>
)

/** Asks before it restores the start. */
const Reset = ({ refresh }: Pick<Properties, "refresh">) => {
  const [isAsking, setAsking] = useState(false)
  const show = useNotice()
  const reset = async () => {
    setAsking(false)
    try {
      await FakeClient.call("reset", "POST")
      show({ text: "Transfers, clock, faults and requests are as they were at the start." })
    } catch (error) {
      show({ text: FakeClient.reasonOf(error), isBad: true })
    }
    await refresh()
  }
  return isAsking ? (
    <div class="reset" role="group" aria-label="Restore the start?">
      <button type="button" class="danger" ref={(button) => button?.focus()} onClick={reset}>
        Restore the start
      </button>
      <button type="button" onClick={() => setAsking(false)}>
        Cancel
      </button>
    </div>
  ) : (
    <div class="reset">
      <button type="button" onClick={() => setAsking(true)}>
        Reset…
      </button>
    </div>
  )
}

const themes = ["system", "light", "dark"] as const

/** The theme, remembered by the browser. */
const Theme = () => {
  const [theme, setTheme] = useState(() => localStorage.getItem("theme") ?? "system")
  useEffect(() => {
    localStorage.setItem("theme", theme)
    document.documentElement.dataset["theme"] = theme
  }, [theme])
  return (
    <label class="field theme">
      <span>Theme</span>
      <select value={theme} onChange={(event) => setTheme(event.currentTarget.value)}>
        {themes.map((each) => (
          <option value={each}>{each}</option>
        ))}
      </select>
    </label>
  )
}
