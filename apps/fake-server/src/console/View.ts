/** The view of the page, kept in the fragment of its address. */
import { useEffect, useState } from "preact/hooks"

export const views = ["transfers", "requests", "faults", "capabilities"] as const

export type View = (typeof views)[number]

const current = (): View => views.find((view) => `#${view}` === location.hash) ?? "transfers"

/** Moves the focus to an element, if it is visible, instead of changing the view. */
export const focusInstead =
  (id: string) =>
  (event: Event): void => {
    const element = document.getElementById(id)
    if (element?.checkVisibility() !== true) return
    event.preventDefault()
    element.focus()
  }

export const useView = (): View => {
  const [view, setView] = useState(current)
  useEffect(() => {
    const change = () => setView(current())
    addEventListener("hashchange", change)
    return () => removeEventListener("hashchange", change)
  }, [])
  return view
}
