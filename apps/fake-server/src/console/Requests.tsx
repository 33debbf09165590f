/** The latest requests as they arrive, with their times as a waterfall. */
import type { Entry } from "@transferkit/fake/Journal"
import { useState } from "preact/hooks"
import { FaultTag, HttpBadge } from "./Badge.tsx"
import * as Curl from "./Curl.ts"
import * as FakeClient from "./FakeClient.ts"
import { CopyButton, useNotice } from "./Notice.tsx"
import { RequestDrawer } from "./RequestDrawer.tsx"
import { onRowKeys } from "./RowKeys.ts"
import * as Time from "./Time.ts"
import { type Burst, bursts, segments, total } from "./Waterfall.ts"

const kinds: Readonly<Record<string, (entry: Entry) => boolean>> = {
  all: () => true,
  "errors only": ({ status }) => status >= 400,
  "with faults": ({ faults }) => faults.length > 0,
}

/** More rows would make the page slow. */
const most = 200

interface Properties {
  readonly entries: ReadonlyArray<Entry>
  readonly isLive: boolean
  readonly partner: string
  readonly onClear: () => void
}

export const Requests = ({ entries, isLive, partner, onClear }: Properties) => {
  const [text, setText] = useState("")
  const [kind, setKind] = useState("all")
  const [selected, setSelected] = useState<Entry>()
  const show = useNotice()
  const clear = async () => {
    try {
      await FakeClient.call("requests", "DELETE")
      onClear()
    } catch (error) {
      show({ text: FakeClient.reasonOf(error), isBad: true })
    }
  }
  const wanted = entries.filter(
    (entry) =>
      kinds[kind]?.(entry) === true &&
      `${entry.id} ${entry.method} ${entry.path} ${Curl.pairsOf(entry).map((pair) => pair.join("="))}`.includes(text),
  )
  const rows = wanted.slice(0, most)
  const index = rows.findIndex(({ id }) => id === selected?.id)
  const at = (offset: number) => {
    const row = index === -1 ? undefined : rows[index + offset]
    return row && (() => setSelected(row))
  }
  return (
    <>
      <div class="panel-head">
        <h2 id="requests-title">
          Requests <span class="count">{entries.length.toLocaleString("en")}</span>
        </h2>
        <span class={isLive ? "live" : "live off"}>{isLive ? "live" : "not connected"}</span>
        <button type="button" disabled={entries.length === 0} onClick={clear}>
          Clear
        </button>
      </div>
      <form class="filters" role="search" aria-label="Requests" onSubmit={(event) => event.preventDefault()}>
        <label class="field grow">
          <span>Containing</span>
          <input
            type="search"
            autocomplete="off"
            placeholder="path, parameter or id"
            aria-keyshortcuts="/"
            data-search
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <label class="field">
          <span>Show</span>
          <select value={kind} onChange={(event) => setKind(event.currentTarget.value)}>
            {Object.keys(kinds).map((name) => (
              <option value={name}>{name}</option>
            ))}
          </select>
        </label>
      </form>
      {entries.length === 0 && <NoRequests partner={partner} />}
      {entries.length > 0 && rows.length === 0 && (
        <div class="empty">
          <p>No request matches.</p>
        </div>
      )}
      {rows.length > 0 && (
        <table class="requests" role="table" aria-labelledby="requests-title" onKeyDown={onRowKeys}>
          <thead role="rowgroup">
            <tr role="row">
              {["Time", "Status", "Request", "Faults"].map((name) => (
                <th scope="col" role="columnheader">
                  {name}
                </th>
              ))}
              <th scope="col" role="columnheader" class="number">
                Took
              </th>
              <th scope="col" role="columnheader">
                Waterfall
              </th>
            </tr>
          </thead>
          {bursts(rows).map((burst) => (
            <BurstRows key={burst.start} burst={burst} onOpen={setSelected} />
          ))}
        </table>
      )}
      {wanted.length > most && <p class="hint more">The latest {most} are shown.</p>}
      {selected !== undefined && (
        <RequestDrawer
          key={selected.id}
          entry={selected}
          onClose={() => setSelected(undefined)}
          onPrevious={at(-1)}
          onNext={at(1)}
        />
      )}
    </>
  )
}

const BurstRows = ({ burst, onOpen }: { readonly burst: Burst; readonly onOpen: (entry: Entry) => void }) => (
  <tbody role="rowgroup">
    <tr role="row" class="burst">
      <th role="rowheader" scope="rowgroup" colSpan={6}>
        {Time.ofDay(new Date(burst.start).toISOString())} · {burst.entries.length}{" "}
        {burst.entries.length === 1 ? "request" : "requests"} in {Time.duration(burst.durationMs)}
      </th>
    </tr>
    {burst.entries.map((entry) => (
      <tr key={entry.id} role="row" onClick={() => onOpen(entry)}>
        <td role="cell">
          <button type="button" class="row-button" title={`${entry.at}, ${entry.id}`}>
            {Time.ofDay(entry.at)}
          </button>
        </td>
        <td role="cell">
          <HttpBadge status={entry.status} />
        </td>
        <td role="cell" class="request" title={`${entry.method} ${entry.path}`}>
          <span class="method">{entry.method}</span> {entry.path}
          {Curl.pairsOf(entry).map(([name, value]) => (
            <span class="parameter" key={`${name}=${value}`}>
              {" "}
              {name}=<b>{value}</b>
            </span>
          ))}
        </td>
        <td role="cell" class="faults">
          {entry.faults.map((name) => (
            <FaultTag name={name} />
          ))}
          {entry.problems !== undefined && <span class="tag bad">problem</span>}
        </td>
        <td role="cell" class="number took">
          {Time.duration(total(entry))}
        </td>
        <td role="cell" class="waterfall">
          <Bar entry={entry} burst={burst} />
        </td>
      </tr>
    ))}
  </tbody>
)

/** The share of an axis, as CSS. */
const share = (ms: number, of: number): string => `${of === 0 ? 0 : (ms / of) * 100}%`

const Bar = ({ entry, burst }: { readonly entry: Entry; readonly burst: Burst }) => (
  <div class="axis" aria-hidden="true">
    <div
      class="bar"
      style={{
        // The last bar stays visible however short it is.
        marginInlineStart: `min(${share(Date.parse(entry.at) - burst.start, burst.durationMs)}, 100% - 3px)`,
        inlineSize: share(total(entry), burst.durationMs),
      }}
    >
      {segments(entry).map(({ name, ms }) => (
        <span class={name.replaceAll(" ", "-")} style={{ flexGrow: ms }} />
      ))}
    </div>
  </div>
)

const NoRequests = ({ partner }: { readonly partner: string }) => {
  const command = () => Curl.command({ path: "/v1/transfers/search", parameters: [["limit", "3"]], partner })
  return (
    <div class="empty">
      <p>No requests yet. They appear here as they arrive.</p>
      <pre>{command()}</pre>
      <CopyButton label="Copy" text={command} />
    </div>
  )
}
