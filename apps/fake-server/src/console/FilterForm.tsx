/** The filters of the transfers, and the form for them. */
import { useEffect, useRef, useState } from "preact/hooks"
import type { Changes } from "./Address.ts"

const names = ["prefix", "from", "before", "status"] as const

/** Their values; an empty one filters nothing. */
export type Filters = Readonly<Record<(typeof names)[number], string>>

export const noFilters: Filters = { prefix: "", from: "", before: "", status: "" }

/** Typing pauses for this long before a search, in milliseconds. */
const pauseMs = 150

const knownStatuses = ["executing", "approved", "complete", "declined"]

interface FilterFormProperties {
  readonly filters: Filters
  readonly onChange: (filters: Changes, replace?: boolean) => void
  /** Those of the page, which may be others than the known ones. */
  readonly statuses: ReadonlyArray<string>
}

/** The form. What is typed is searched for after a pause. */
export const FilterForm = ({ filters, onChange, statuses }: FilterFormProperties) => {
  const set = (name: keyof Filters) => (event: { readonly currentTarget: HTMLInputElement | HTMLSelectElement }) =>
    onChange({ [name]: event.currentTarget.value })
  const [typed, setTyped] = useState<string>()
  const [hasDates, setDates] = useState(false)
  const sent = useRef(filters.prefix)
  // What is typed and not searched for yet gives way to a filter that comes from elsewhere, such as Back.
  useEffect(() => {
    if (filters.prefix !== sent.current) setTyped(undefined)
    sent.current = filters.prefix
  }, [filters.prefix])
  useEffect(() => {
    if (typed === undefined) return
    const timer = setTimeout(() => {
      sent.current = typed
      setTyped(undefined)
      onChange({ prefix: typed }, true)
    }, pauseMs)
    return () => clearTimeout(timer)
  }, [typed])
  const options = [...new Set([...knownStatuses, ...statuses, filters.status])].filter((status) => status !== "")
  const showsDates = hasDates || filters.from !== "" || filters.before !== ""
  return (
    <form
      class={showsDates ? "filters" : "filters without-dates"}
      role="search"
      aria-label="Transfers"
      onSubmit={(event) => event.preventDefault()}
    >
      <label class="field grow">
        <span>Id or external id</span>
        <input
          name="prefix"
          type="search"
          autocomplete="off"
          placeholder="how it begins"
          aria-keyshortcuts="/"
          data-search
          value={typed ?? filters.prefix}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </label>
      <label class="field date">
        <span>Created from (UTC)</span>
        <input name="from" type="datetime-local" step="1" value={filters.from} onChange={set("from")} />
      </label>
      <label class="field date">
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
      <button type="button" class="dates" aria-expanded={showsDates} onClick={() => setDates(!showsDates)}>
        Dates
      </button>
    </form>
  )
}
