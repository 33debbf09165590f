/** The transfers of a partner, page by page. */
import { useEffect, useRef, useState } from "preact/hooks"
import { StatusBadge } from "./Badge.tsx"
import * as Curl from "./Curl.ts"
import * as FakeClient from "./FakeClient.ts"
import { Icon } from "./Icon.tsx"
import { MoneyCells } from "./Money.tsx"
import { CopyButton } from "./Notice.tsx"
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
}

const noFilters = { external_id: "", from: "", before: "", status: "" }
type Filters = typeof noFilters

/** What is looked at: a cursor continues only the search of the partner that it came from. */
interface Position {
  readonly partner: string
  readonly filters: Filters
  /** Those of the pages before the current one, which is the last. */
  readonly cursors: ReadonlyArray<string>
}

/** The value of a date picker has neither seconds, if they are zero, nor a zone. */
const instant = (picked: string): string => `${/T\d\d:\d\d$/.test(picked) ? `${picked}:00` : picked}Z`

/** The parameters of the contract's search; it has none for the status. */
const parametersOf = ({ external_id, from, before }: Filters): ReadonlyArray<readonly [string, string]> => [
  ...(external_id === "" ? [] : [["external_id", external_id] as const]),
  ...(from === "" ? [] : [["created_at", `gte:${instant(from)}`] as const]),
  ...(before === "" ? [] : [["created_at", `lt:${instant(before)}`] as const]),
]

export const Transfers = ({ partner, total, now, version, refresh }: Properties) => {
  const [position, setPosition] = useState<Position>({ partner, filters: noFilters, cursors: [] })
  const [page, setPage] = useState<Page>()
  const [problem, setProblem] = useState<string>()
  const [selected, setSelected] = useState<Transfer>()
  const [isInserting, setInserting] = useState(false)
  const latest = useRef(0)

  const { filters } = position
  const cursors = position.partner === partner ? position.cursors : []
  const search = (wanted: Filters) => setPosition({ partner, filters: wanted, cursors: [] })
  const turnTo = (before: ReadonlyArray<string>) => setPosition({ partner, filters, cursors: before })
  const cursor = cursors.at(-1)
  useEffect(() => {
    const parameters = new URLSearchParams({ partner })
    for (const [name, value] of parametersOf(filters)) parameters.append(name, value)
    if (filters.status !== "") parameters.set("status", filters.status)
    if (cursor !== undefined) parameters.set("after_cursor", cursor)
    latest.current += 1
    const number = latest.current
    const load = async () => {
      try {
        const found = await FakeClient.call<Page>(`transfers?${parameters}`)
        if (number !== latest.current) return
        setPage(found)
        setProblem(undefined)
      } catch (error) {
        if (number === latest.current) setProblem(FakeClient.reasonOf(error))
      }
    }
    void load()
  }, [filters, cursor, partner, version])

  const rows = page?.results ?? []
  const index = rows.findIndex(({ id }) => id === selected?.id)
  const at = (offset: number) => {
    const row = index === -1 ? undefined : rows[index + offset]
    return row && (() => setSelected(row))
  }
  const next = page?.page_info.has_next_page === true ? page.page_info.end_cursor : undefined
  const isFiltered = Object.values(filters).some((value) => value !== "")

  return (
    <>
      <div class="panel-head">
        <h2 id="transfers-title">
          Transfers <span class="count">{total.toLocaleString("en")}</span>
        </h2>
        <CopyButton
          label="Copy as curl"
          text={() => Curl.command({ path: "/v1/transfers/search", parameters: parametersOf(filters), partner })}
        />
        <button type="button" onClick={() => setInserting(true)}>
          <Icon name="plus" /> Insert
        </button>
      </div>
      <FilterForm filters={filters} onChange={search} statuses={rows.map(({ status }) => textOf(status))} />
      {problem !== undefined && (
        <p class="problem panel-problem" role="alert">
          {problem}
        </p>
      )}
      {page !== undefined && rows.length === 0 ? (
        <div class="empty">
          <p>{isFiltered ? "No transfer matches." : "There are no transfers."}</p>
          {isFiltered ? (
            <button type="button" onClick={() => search(noFilters)}>
              Clear the filters
            </button>
          ) : (
            <p class="hint">
              Insert one, or start the fake with <code>--transfers 1000</code> or <code>--data FILE</code>.
            </p>
          )}
        </div>
      ) : (
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
              <tr key={row.id} role="row" onClick={() => setSelected(row)}>
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
                <MoneyCells value={row["source_total"]} />
                <MoneyCells value={row["destination_total"]} />
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <nav class="pages" aria-label="Pages of transfers">
        <button type="button" disabled={cursors.length === 0} onClick={() => turnTo(cursors.slice(0, -1))}>
          <Icon name="previous" /> Previous
        </button>
        <span>
          Page {cursors.length + 1}
          <span class="hint"> · {rows.length} rows</span>
        </span>
        <button
          type="button"
          disabled={next === undefined}
          onClick={() => next !== undefined && turnTo([...cursors, next])}
        >
          Next <Icon name="next" />
        </button>
      </nav>
      {selected !== undefined && (
        <TransferDrawer
          transfer={rows[index] ?? selected}
          partner={partner}
          refresh={refresh}
          onClose={() => setSelected(undefined)}
          onPrevious={at(-1)}
          onNext={at(1)}
        />
      )}
      {isInserting && <InsertDrawer partner={partner} refresh={refresh} onClose={() => setInserting(false)} />}
    </>
  )
}

const knownStatuses = ["executing", "approved", "complete", "declined"]

interface FilterFormProperties {
  readonly filters: Filters
  readonly onChange: (filters: Filters) => void
  /** Those of the page, which may be others than the known ones. */
  readonly statuses: ReadonlyArray<string>
}

const FilterForm = ({ filters, onChange, statuses }: FilterFormProperties) => {
  const set = (name: keyof Filters) => (event: { readonly currentTarget: HTMLInputElement | HTMLSelectElement }) =>
    onChange({ ...filters, [name]: event.currentTarget.value })
  // The page is drawn again every two seconds, which would take away what is typed but not searched for yet.
  const [typed, setTyped] = useState<string>()
  const options = [...new Set([...knownStatuses, ...statuses, filters.status])].filter((status) => status !== "")
  return (
    <form class="filters" role="search" aria-label="Transfers" onSubmit={(event) => event.preventDefault()}>
      <label class="field grow">
        <span>External id</span>
        <input
          name="external_id"
          type="search"
          autocomplete="off"
          placeholder="order-…"
          aria-keyshortcuts="/"
          data-search
          value={typed ?? filters.external_id}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onChange={(event) => {
            setTyped(undefined)
            set("external_id")(event)
          }}
          onBlur={() => setTyped(undefined)}
        />
      </label>
      <label class="field">
        <span>Created from (UTC)</span>
        <input name="from" type="datetime-local" step="1" value={filters.from} onChange={set("from")} />
      </label>
      <label class="field">
        <span>Created before (UTC)</span>
        <input name="before" type="datetime-local" step="1" value={filters.before} onChange={set("before")} />
      </label>
      <label class="field">
        <span>Status</span>
        <select name="status" value={filters.status} onChange={set("status")}>
          <option value="">any</option>
          {options.map((status) => (
            <option value={status}>{status}</option>
          ))}
        </select>
      </label>
    </form>
  )
}
