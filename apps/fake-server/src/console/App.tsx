/** The page: its header, its views, and what they have in common. */
import { useEffect, useState } from "preact/hooks"
import { focusInstead, useAddress } from "./Address.ts"
import { Capabilities } from "./Capabilities.tsx"
import { isTyping } from "./Drawer.tsx"
import { useFake } from "./Fake.ts"
import * as FakeClient from "./FakeClient.ts"
import { Faults } from "./Faults.tsx"
import { Header } from "./Header.tsx"
import { Keys } from "./Keys.tsx"
import { type Notice, NoticeBar, NoticesContext } from "./Notice.tsx"
import * as RequestFeed from "./RequestFeed.ts"
import { Requests } from "./Requests.tsx"
import { firstPage, Transfers } from "./Transfers.tsx"

export const App = () => {
  const address = useAddress()
  const { view } = address
  const { health, rules, connection, refresh, poll, version } = useFake()
  const feed = RequestFeed.useRequestFeed(connection === "connected" && health !== undefined, poll)
  const [isHelping, setHelping] = useState(false)
  const [notice, show] = useState<Notice>()
  useEffect(() => {
    const help = (event: KeyboardEvent) => {
      if (event.key === "?" && !isTyping(event)) setHelping(true)
    }
    document.addEventListener("keydown", focusSearch)
    document.addEventListener("keydown", help)
    return () => {
      document.removeEventListener("keydown", focusSearch)
      document.removeEventListener("keydown", help)
    }
  }, [])
  useEffect(() => {
    const undo = (event: KeyboardEvent) => {
      if (event.key !== "u" || isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return
      show(undefined)
      void notice?.undo?.()
    }
    if (notice?.undo !== undefined) document.addEventListener("keydown", undo)
    return () => document.removeEventListener("keydown", undo)
  }, [notice])
  useEffect(() => {
    if (notice === undefined || notice.code !== undefined || notice.isBad === true || notice.undo !== undefined) return
    const timer = setTimeout(() => show(undefined), 5000)
    return () => clearTimeout(timer)
  }, [notice])
  // Wide pages show the faults beside another view.
  const shown = view === "faults" ? "transfers" : view
  useEffect(() => {
    document.title = rules.length === 0 ? "transfers-fake" : `(${rules.length}) transfers-fake`
  }, [rules.length])
  const known = health?.partners.find(({ partner }) => partner === address.get("partner")) ?? health?.partners[0]
  const partner = known?.partner ?? ""
  return (
    <NoticesContext.Provider value={{ notice, show }}>
      <a class="skip" href="#main" onClick={focusInstead("main")}>
        Skip to the content
      </a>
      <Header
        address={address}
        health={health}
        partner={partner}
        onPartner={(chosen) =>
          address.go(
            { partner: chosen === health?.partners[0]?.partner ? "" : chosen, ...firstPage, row: "" },
            { cursors: [] },
          )
        }
        onKeys={() => setHelping(true)}
        rules={rules.length}
        refresh={async () => {
          await refresh()
          RequestFeed.clear(feed)
        }}
        refreshClock={refresh}
      />
      {connection === "lost" && (
        <p class="banner" role="alert">
          The fake does not respond. The page shows the last known state and keeps trying.
        </p>
      )}
      {connection === "token needed" ? (
        <TokenForm onToken={refresh} />
      ) : (
        <main id="main" tabIndex={-1} data-view={view}>
          {health === undefined ? (
            <p class="hint loading">Loading…</p>
          ) : (
            <>
              <section class="view panel" aria-labelledby={`${shown}-title`}>
                {shown === "transfers" && (
                  <Transfers
                    partner={partner}
                    total={known?.transfers ?? 0}
                    now={health.now}
                    version={`${version} ${known?.transfers}`}
                    refresh={refresh}
                    address={address}
                  />
                )}
                {shown === "requests" && <Requests feed={feed} partner={partner} address={address} />}
                {shown === "capabilities" && <Capabilities />}
              </section>
              <aside id="faults" class="fault-panel panel" tabIndex={-1} aria-labelledby="faults-title">
                <Faults rules={rules} refresh={poll} />
              </aside>
            </>
          )}
        </main>
      )}
      {isHelping && <Keys onClose={() => setHelping(false)} />}
      <NoticeBar />
    </NoticesContext.Provider>
  )
}

/** `/` goes to the search of the view. */
const focusSearch = (event: KeyboardEvent): void => {
  if (event.key !== "/" || isTyping(event)) return
  event.preventDefault()
  document.querySelector<HTMLElement>("[data-search]")?.focus()
}

const TokenForm = ({ onToken }: { readonly onToken: () => Promise<void> }) => {
  const [token, setToken] = useState("")
  const [isWrong, setWrong] = useState(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    FakeClient.setToken(token)
    await onToken()
    setWrong(true)
  }
  return (
    <main id="main" class="token panel">
      <form onSubmit={submit}>
        <h2>Admin token</h2>
        <p class="hint">
          This fake was started with <code>--admin-token</code>. The token is kept until the tab is closed.
        </p>
        <label class="field">
          <span>Token</span>
          <input
            type="password"
            autocomplete="off"
            value={token}
            onInput={(event) => setToken(event.currentTarget.value)}
          />
        </label>
        {isWrong && (
          <p class="problem" role="alert">
            The fake rejects this token.
          </p>
        )}
        <button class="primary">Continue</button>
      </form>
    </main>
  )
}
