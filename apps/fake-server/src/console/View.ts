/** The view of the page, kept in the fragment of its address. */
import { useEffect, useState } from "preact/hooks"

export const views = ["transfers", "requests", "faults", "capabilities"] as const

export type View = (typeof views)[number]

const current = (): View => views.find((view) => `#${view}` === location.hash) ?? "transfers"

export const useView = (): View => {
  const [view, setView] = useState(current)
  useEffect(() => {
    const change = () => setView(current())
    addEventListener("hashchange", change)
    return () => removeEventListener("hashchange", change)
  }, [])
  return view
}
