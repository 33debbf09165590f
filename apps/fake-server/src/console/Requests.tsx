/** The latest requests as they arrive, with their times as a waterfall. */
import type { Entry } from "@transferkit/fake/Journal"
import { useEffect, useState } from "preact/hooks"
import type { Address } from "./Address.ts"
import { FaultTag, HttpBadge } from "./Badge.tsx"
import * as Bursts from "./Bursts.ts"
import * as Curl from "./Curl.ts"
import * as FakeClient from "./FakeClient.ts"
import { Digits } from "./Money.tsx"
import { CopyButton, useNotice } from "./Notice.tsx"
import { once } from "./Once.ts"
import { RequestDrawer } from "./RequestDrawer.tsx"
import * as RequestFeed from "./RequestFeed.ts"
import { onRowKeys } from "./RowKeys.ts"
import * as Time from "./Time.ts"

const kinds: Readonly<Record<string, (entry: Entry) => boolean>> = {
  all: () => true,
  "errors only": ({ status }) => status >= 400,
  "with faults": ({ faults }) => faults.length > 0,
}

/** More rows would make the page slow. */
const most = 200

interface Properties {
  readonly feed: RequestFeed.RequestFeed
  readonly partner: string
  readonly address: Address
}

export const Requests = ({ feed, partner, address }: Properties) => {
  const { requests, isLive } = RequestFeed.useArrived(feed)
  const { go } = address
  const text = address.get("text")
  const kind = kinds[address.get("show")] === undefined ? "all" : address.get("show")
  const show = useNotice()
  const clear = async () => {
    try {
      await FakeClient.call("requests", "DELETE")
      RequestFeed.clear(feed)
    } catch (error) {
      show({ text: FakeClient.reasonOf(error), isBad: true })
    }
  }
  const all = requests.rows
  const isFiltered = text !== "" || kind !== "all"
  const wanted = isFiltered ? all.filter(({ entry }) => kinds[kind]?.(entry) === true && contains(entry, text)) : all
  const rows = wanted.slice(0, most)
  return (
    <>
      <div class="panel-head">
        <h2 id="requests-title">
          Requests{" "}
          <span class="count">
            {isFiltered && <Digits text={`${wanted.length}`} />}
            {isFiltered && " of "}
            <Digits text={`${all.length}`} />
          </span>
        </h2>
        <span class={isLive ? "live" : "live off"}>{isLive ? "live" : "not connected"}</span>
        <button type="button" disabled={all.length === 0} onClick={clear}>
          Clear
        </button>
      </div>
      <form class="filters" role="search" aria-label="Requests" onSubmit={(event) => event.preventDefault()}>
        <label class="field grow">
          <span>Containing</span>
          <input
            type="search"
            autocomplete="off"
            placeholder="path or id"
            aria-keyshortcuts="/"
            data-search
            value={text}
            onInput={(event) => go({ text: event.currentTarget.value }, { replace: true })}
          />
        </label>
        <label class="field">
          <span>Show</span>
          <select value={kind} onChange={(event) => go({ show: event.currentTarget.value.replace(/^all$/, "") })}>
            {Object.keys(kinds).map((name) => (
              <option value={name}>{name}</option>
            ))}
          </select>
        </label>
      </form>
      {all.length === 0 && <NoRequests partner={partner} />}
      {all.length > 0 && rows.length === 0 && (
        <div class="empty">
          <p>No request matches.</p>
          <button type="button" onClick={() => go({ text: "", show: "" })}>
            Clear the filters
          </button>
        </div>
      )}
      {rows.length > 0 && (
        <table class="requests" role="table" aria-labelledby="requests-title" onKeyDown={onRowKeys}>
          <thead role="rowgroup">
            <tr role="row">
              {["Time", "Status", "Request", "Faults"].map((name) => (
                <th scope="col" role="columnheader" class={name.toLowerCase()}>
                  {name}
                </th>
              ))}
              <th scope="col" role="columnheader" class="number took">
                Took
              </th>
              <th scope="col" role="columnheader" class="waterfall">
                Waterfall
              </th>
            </tr>
          </thead>
          {requests.bursts.map((burst) => (
            <BurstRows
              key={burst.number}
              burst={burst}
              rows={rows}
              matching={isFiltered ? wanted.filter((row) => row.burst === burst.number).length : undefined}
              go={go}
            />
          ))}
        </table>
      )}
      {wanted.length > most && <p class="hint more">The latest {most} are shown.</p>}
      {address.get("row") !== "" && <Opened rows={rows} address={address} />}
    </>
  )
}

const contains = (entry: Entry, text: string): boolean =>
  text === "" || `${entry.id} ${entry.method} ${entry.path} ${parametersOf(entry)}`.includes(text)

const parametersOf = (entry: Entry): ReadonlyArray<string> => Curl.pairsOf(entry).map((pair) => pair.join("="))

/** A cursor says nothing to people: in its place stands the page to which it led, if that is known. */
const pairsOf = (entry: Entry): ReadonlyArray<readonly [name: string, value: string]> =>
  Curl.pairsOf(entry).map((pair) =>
    pair[0] === "after_cursor" && entry.page !== undefined ? ["page", String(entry.page)] : pair,
  )

/** The request that the address names, which may be older than those that are shown. */
const Opened = ({ rows, address }: { readonly rows: ReadonlyArray<Bursts.Row>; readonly address: Address }) => {
  const id = address.get("row")
  const index = rows.findIndex(({ entry }) => entry.id === id)
  const [older, setOlder] = useState<Entry>()
  const show = useNotice()
  const { go } = address
  const isShown = index !== -1
  useEffect(() => {
    if (isShown || older?.id === id) return
    FakeClient.call<Entry>(`requests/${encodeURIComponent(id)}`).then(setOlder, (error: unknown) => {
      show({ text: FakeClient.reasonOf(error), isBad: true })
      go({ row: "" }, { replace: true })
    })
  }, [id, isShown])
  const at = (offset: number) => {
    const row = isShown ? rows[index + offset] : undefined
    return row && (() => go({ row: row.entry.id }, { replace: true }))
  }
  const entry = rows[index]?.entry ?? (older?.id === id ? older : undefined)
  return entry === undefined ? null : (
    <RequestDrawer key={entry.id} entry={entry} onClose={() => go({ row: "" })} onPrevious={at(-1)} onNext={at(1)} />
  )
}

interface BurstProperties {
  readonly burst: Bursts.Burst
  readonly rows: ReadonlyArray<Bursts.Row>
  /** How many of its requests pass the filter, if there is one. */
  readonly matching: number | undefined
  readonly go: Address["go"]
}

const BurstRows = ({ burst, rows, matching, go }: BurstProperties) => {
  const own = rows.filter((row) => row.burst === burst.number)
  if (own.length === 0) return null
  const { start, end, count } = burst
  return (
    // A row knows its own time only: what its bar is a share of, it takes from here, and need not be drawn again.
    <tbody role="rowgroup" style={{ "--burst": Math.max(0.001, end - start) }}>
      <tr role="row" class="burst">
        <th role="rowheader" scope="rowgroup" colSpan={6}>
          {Time.ofDay(new Date(start).toISOString())} · {matching !== undefined && <Digits text={`${matching}`} />}
          {matching !== undefined && " of "}
          <Digits text={`${count}`} /> {count === 1 ? "request" : "requests"} in {Time.duration(end - start)}
        </th>
      </tr>
      {own.map(({ entry }) => (
        <Row key={entry.id} entry={entry} offset={Date.parse(entry.at) - start} go={go} />
      ))}
    </tbody>
  )
}

interface RowProperties {
  readonly entry: Entry
  /** Since the start of its burst, in milliseconds. */
  readonly offset: number
  readonly go: Address["go"]
}

const Row = once(({ entry, offset, go }: RowProperties) => (
  <tr role="row" data-id={entry.id} onClick={() => go({ row: entry.id })}>
    <td role="cell" class="time">
      <button type="button" class="row-button" title={`${entry.at}, ${entry.id}`}>
        {Time.ofDay(entry.at)}
      </button>
    </td>
    <td role="cell" class="status">
      <HttpBadge status={entry.status} />
    </td>
    <td role="cell" class="request" title={[`${entry.method} ${entry.path}`, ...parametersOf(entry)].join(" ")}>
      <span class="method">{entry.method}</span> {entry.path}
      {pairsOf(entry).map(([name, value]) => (
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
      {Time.duration(Bursts.total(entry))}
    </td>
    <td role="cell" class="waterfall">
      <div class="axis" aria-hidden="true">
        <div class="bar" style={{ "--at": offset, "--took": Bursts.total(entry) }}>
          {Bursts.segments(entry).map(({ name, ms }) => (
            <span class={name.replaceAll(" ", "-")} style={{ flexGrow: ms }} />
          ))}
        </div>
      </div>
    </td>
  </tr>
))

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
