/**
 * The view of the page and what it shows, kept in the fragment of its address: `#transfers?status=declined&row=tr_1`. So
 * every state is a link, Back returns to the one before, and a reload keeps it.
 */
import { useCallback, useEffect, useState } from "preact/hooks"

export const views = ["transfers", "requests", "faults", "capabilities"] as const

export type View = (typeof views)[number]

/** The parameters of the views. */
export type Name = "partner" | "prefix" | "from" | "before" | "status" | "page" | "after" | "row" | "text" | "show"

/** Values to set; an empty one removes its parameter. */
export type Changes = Readonly<Partial<Record<Name, string>>>

export interface Address {
  readonly view: View
  readonly get: (name: Name) => string
  /** The cursors of the pages before, as far as this history has been there. */
  readonly cursors: ReadonlyArray<string>
  /** Shows something else: a step that Back undoes, unless it replaces the current one. */
  readonly go: (
    changes: Changes,
    options?: { readonly replace?: boolean; readonly cursors?: ReadonlyArray<string> },
  ) => void
  /** The address of another view. It keeps the partner. */
  readonly linkTo: (view: View) => string
}

interface Place {
  readonly hash: string
  readonly cursors: ReadonlyArray<string>
}

const current = (): Place => {
  const state: unknown = history.state
  const cursors = Array.isArray(state) ? state.filter((each) => typeof each === "string") : []
  return { hash: location.hash, cursors }
}

const split = (hash: string): { readonly view: View; readonly parameters: URLSearchParams } => {
  const [name, ...rest] = hash.slice(1).split("?")
  return { view: views.find((view) => view === name) ?? "transfers", parameters: new URLSearchParams(rest.join("?")) }
}

const join = (view: View, parameters: URLSearchParams): string =>
  parameters.size === 0 ? `#${view}` : `#${view}?${parameters}`

export const useAddress = (): Address => {
  const [place, setPlace] = useState(current)
  useEffect(() => {
    const read = () => setPlace(current())
    addEventListener("popstate", read)
    addEventListener("hashchange", read)
    return () => {
      removeEventListener("popstate", read)
      removeEventListener("hashchange", read)
    }
  }, [])
  const go = useCallback<Address["go"]>((changes, { replace = false, cursors } = {}) => {
    const before = current()
    const { view, parameters } = split(before.hash)
    for (const [name, value] of Object.entries(changes)) {
      if (value === "") parameters.delete(name)
      else parameters.set(name, value)
    }
    const hash = join(view, parameters)
    const next = { hash, cursors: cursors ?? before.cursors }
    if (hash === before.hash) return
    history[replace ? "replaceState" : "pushState"](next.cursors, "", hash)
    setPlace(next)
  }, [])
  const { view, parameters } = split(place.hash)
  const get = (name: Name) => parameters.get(name) ?? ""
  const linkTo = (other: View) => {
    const kept = new URLSearchParams()
    if (get("partner") !== "") kept.set("partner", get("partner"))
    return join(other, kept)
  }
  return { view, get, cursors: place.cursors, go, linkTo }
}

/** Moves the focus to an element, if it is visible, instead of changing the view. */
export const focusInstead =
  (id: string) =>
  (event: Event): void => {
    const element = document.getElementById(id)
    if (element?.checkVisibility() !== true) return
    event.preventDefault()
    element.focus()
  }
