/** The transfers of a partner, page by page. */
import { useEffect, useRef, useState } from "preact/hooks"
import type { Address, Changes } from "./Address.ts"
import { StatusBadge } from "./Badge.tsx"
import * as Curl from "./Curl.ts"
import * as FakeClient from "./FakeClient.ts"
import { FilterForm, type Filters, noFilters } from "./FilterForm.tsx"
import { Icon } from "./Icon.tsx"
import { decimalsOf, Digits, MoneyCells } from "./Money.tsx"
import { CopyButton, useNotice } from "./Notice.tsx"
import { onRowKeys } from "./RowKeys.ts"
import * as Time from "./Time.ts"
import { type Page, textOf, type Transfer } from "./Transfer.ts"
import { InsertDrawer, TransferDrawer } from "./TransferDrawer.tsx"

interface Properties {
  readonly partner: string
  readonly total: number
  readonly now: string | undefined
  /** The page is read again when it changes. */
  readonly version: string
  readonly refresh: () => Promise<void>
  readonly address: Address
}

/** A cursor continues only the search of the partner that it came from. */
export const firstPage = { page: "", after: "" }

/** The value of a date picker has neither seconds, if they are zero, nor a zone. */
const instant = (picked: string): string => `${/T\d\d:\d\d$/.test(picked) ? `${picked}:00` : picked}Z`

type Parameters = ReadonlyArray<readonly [name: string, value: string]>

/** The parameters of the contract's search: it has none for the status and the start of an id. */
const parametersOf = ({ from, before }: Filters): Parameters => [
  ...(from === "" ? [] : [["created_at", `gte:${instant(from)}`] as const]),
  ...(before === "" ? [] : [["created_at", `lt:${instant(before)}`] as const]),
]

/** The request whose response has the rows that are shown, and which filters it cannot have. */
const requestOf = (filters: Filters, after: string, rows: ReadonlyArray<Transfer>) => {
  const { prefix, status } = filters
  const isExternalId = prefix !== "" && rows.length > 0 && rows.every((row) => row["external_id"] === prefix)
  const left = [
    ...(status === "" ? [] : ["the status"]),
    ...(prefix === "" || isExternalId ? [] : ["the start of an id"]),
  ]
  const parameters: Parameters = [
    ...(isExternalId ? [["external_id", prefix] as const] : []),
    ...parametersOf(filters),
    // A cursor that was issued for a search with an external id belongs to that search.
    ...(after === "" || isExternalId ? [] : [["after_cursor", after] as const]),
  ]
  const note = `The service cannot search by ${left.join(" or ")}: the command leaves that out.`
  return { parameters, note: left.length === 0 ? undefined : note }
}

/** How many transfers pass the filters. */
interface Count {
  readonly count: number
  readonly is_complete: boolean
}

/** Rows of a search, and the search that they belong to. */
interface Found {
  readonly query: string
  readonly page: Page
  readonly number: number
  readonly count: Count | undefined
}

export const Transfers = ({ partner, total, now, version, refresh, address }: Properties) => {
  const { go, get, cursors } = address
  const [found, setFound] = useState<Found>()
  const [problem, setProblem] = useState<string>()
  const [isInserting, setInserting] = useState(false)
  const [clears, setClears] = useState(0)
  const latest = useRef(0)

  const filters: Filters = { prefix: get("prefix"), from: get("from"), before: get("before"), status: get("status") }
  const after = get("after")
  const number = Math.max(1, Number.parseInt(get("page"), 10) || 1)
  const search = (wanted: Changes, replace = false) => go({ ...wanted, ...firstPage }, { replace, cursors: [] })
  const turnTo = (page: number, cursor: string, before: ReadonlyArray<string>) =>
    go({ page: page === 1 ? "" : String(page), after: cursor }, { cursors: before })
  const query = new URLSearchParams({ partner })
  for (const [name, value] of parametersOf(filters)) query.append(name, value)
  if (filters.status !== "") query.set("status", filters.status)
  if (filters.prefix !== "") query.set("prefix", filters.prefix)
  const counted = query.toString()
  if (after !== "") query.set("after_cursor", after)
  const shown = query.toString()
  const isFiltered = Object.values(filters).some((value) => value !== "")
  useEffect(() => {
    latest.current += 1
    const own = latest.current
    const load = async () => {
      try {
        const [page, count] = await Promise.all([
          FakeClient.call<Page>(`transfers?${shown}`),
          isFiltered ? FakeClient.call<Count>(`count?${counted}`) : undefined,
        ])
        if (own !== latest.current) return
        setFound({ query: shown, page, number, count })
        setProblem(undefined)
      } catch (error) {
        if (own === latest.current) setProblem(FakeClient.reasonOf(error))
      }
    }
    void load()
  }, [shown, version])

  const page = found?.page
  const rows = page?.results ?? []
  // Until the rows of a search are here, the cursor is that of the search before.
  const hasNext = found?.query === shown && page?.page_info.has_next_page === true
  const next = hasNext ? page?.page_info.end_cursor : undefined
  const request = requestOf(filters, after, rows)
  const decimals = { source: decimalsOf(rows, "source_total"), destination: decimalsOf(rows, "destination_total") }
  const count = isFiltered ? found?.count : undefined

  return (
    <>
      <div class="panel-head">
        <h2 id="transfers-title">
          Transfers{" "}
          <span class="count">
            {count !== undefined && <Digits text={`${count.count}`} />}
            {count !== undefined && (count.is_complete ? " of " : " or more of ")}
            <Digits text={`${total}`} />
          </span>
        </h2>
        <CopyButton
          label="Copy as curl"
          text={() => Curl.command({ path: "/v1/transfers/search", parameters: request.parameters, partner })}
          note={request.note}
        />
        <button type="button" onClick={() => setInserting(true)}>
          <Icon name="plus" /> Insert
        </button>
      </div>
      <FilterForm
        // What is being typed goes with the filters.
        key={clears}
        filters={filters}
        onChange={search}
        statuses={rows.map(({ status }) => textOf(status))}
      />
      {problem !== undefined && (
        <p class="problem panel-problem" role="alert">
          {problem}
        </p>
      )}
      {page !== undefined && rows.length === 0 ? (
        <div class="empty">
          <p>{isFiltered ? "No transfer matches." : "There are no transfers."}</p>
          {isFiltered ? (
            <button
              type="button"
              onClick={() => {
                search(noFilters)
                setClears(clears + 1)
              }}
            >
              Clear the filters
            </button>
          ) : (
            <p class="hint">
              Insert one, or start the fake with <code>--transfers 1000</code> or <code>--data FILE</code>.
            </p>
          )}
        </div>
      ) : (
        <div class="scroll">
          <table class="transfers" role="table" aria-labelledby="transfers-title" onKeyDown={onRowKeys}>
            <thead role="rowgroup">
              <tr role="row">
                {["Created", "External id", "Kind", "Status"].map((name) => (
                  <th scope="col" role="columnheader" data-column={name}>
                    {name}
                  </th>
                ))}
                {["Source", "Destination"].map((name) => (
                  <th scope="col" role="columnheader" colSpan={2} class="money">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody role="rowgroup">
              {rows.map((row) => (
                <tr key={row.id} role="row" onClick={() => go({ row: row.id })}>
                  <th scope="row" role="rowheader">
                    <button type="button" class="row-button" title={`${row.created_at}, ${row.id}`}>
                      {Time.short(row.created_at, now)}
                    </button>
                  </th>
                  <td class="external-id" title={textOf(row["external_id"])}>
                    {textOf(row["external_id"])}
                  </td>
                  <td class="kind">{textOf(row["kind"]).replaceAll("_", " ")}</td>
                  <td class="status">
                    <StatusBadge status={textOf(row["status"])} />
                  </td>
                  <MoneyCells value={row["source_total"]} decimals={decimals.source} />
                  <MoneyCells value={row["destination_total"]} decimals={decimals.destination} />
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <nav class="pages" aria-label="Pages of transfers">
        <Previous number={number} cursors={cursors} turnTo={turnTo} />
        <span>
          Page {found?.number ?? number}
          <span class="hint"> · {rows.length === 1 ? "1 row" : `${rows.length} rows`}</span>
        </span>
        <button
          type="button"
          disabled={next === undefined}
          onClick={() => next !== undefined && turnTo(number + 1, next, [...cursors, after])}
        >
          Next <Icon name="next" />
        </button>
      </nav>
      {get("row") !== "" && found !== undefined && (
        <Opened rows={rows} partner={partner} refresh={refresh} version={version} address={address} />
      )}
      {isInserting && <InsertDrawer partner={partner} refresh={refresh} onClose={() => setInserting(false)} />}
    </>
  )
}

interface PreviousProperties {
  readonly number: number
  readonly cursors: ReadonlyArray<string>
  readonly turnTo: (page: number, cursor: string, before: ReadonlyArray<string>) => void
}

/** Whoever came by a link has not been on the page before: only the first one can be reached. */
const Previous = ({ number, cursors, turnTo }: PreviousProperties) => {
  const cursor = cursors.at(-1)
  return cursor === undefined && number > 1 ? (
    <button type="button" onClick={() => turnTo(1, "", [])}>
      <Icon name="previous" /> First
    </button>
  ) : (
    <button
      type="button"
      disabled={number === 1}
      onClick={() => turnTo(number - 1, cursor ?? "", cursors.slice(0, -1))}
    >
      <Icon name="previous" /> Previous
    </button>
  )
}

interface OpenedProperties extends Omit<Properties, "total" | "now"> {
  readonly rows: ReadonlyArray<Transfer>
}

/** The transfer that the address names, which may be on another page than the one shown. */
const Opened = ({ rows, partner, refresh, version, address }: OpenedProperties) => {
  const id = address.get("row")
  const index = rows.findIndex((row) => row.id === id)
  const [elsewhere, setElsewhere] = useState<Transfer>()
  const show = useNotice()
  const { go } = address
  const isShown = index !== -1
  useEffect(() => {
    if (isShown) return
    const path = `transfers/${encodeURIComponent(id)}?${new URLSearchParams({ partner })}`
    FakeClient.call<Transfer>(path).then(setElsewhere, (error: unknown) => {
      show({ text: FakeClient.reasonOf(error), isBad: true })
      go({ row: "" }, { replace: true })
    })
  }, [id, isShown, partner, version])
  const at = (offset: number) => {
    const row = isShown ? rows[index + offset] : undefined
    return row && (() => go({ row: row.id }, { replace: true }))
  }
  const transfer = rows[index] ?? (elsewhere?.id === id ? elsewhere : undefined)
  return transfer === undefined ? null : (
    <TransferDrawer
      transfer={transfer}
      partner={partner}
      refresh={refresh}
      onClose={() => go({ row: "" })}
      onPrevious={at(-1)}
      onNext={at(1)}
    />
  )
}
