/** One bar, cut by the shares of some counts. */
import { type Html, markup, nothing } from "./Html.ts"

/** A share of the bar. */
export interface Share {
  readonly label: string
  /** The class of its colour. */
  readonly tone: string
  readonly count: number
}

/** The bar; nothing if there is nothing to show. */
export const bar = (label: string, shares: ReadonlyArray<Share>): Html => {
  const all = shares.reduce((sum, { count }) => sum + count, 0)
  if (all === 0) return nothing
  let x = 0
  const parts = shares.map((share) => {
    const width = (share.count / all) * 1000
    const part = markup`<rect class="${share.tone}" x="${x.toFixed(2)}" y="0" width="${width.toFixed(2)}" height="24"
      ><title>${share.label}: ${share.count}</title></rect
    >`
    x += width
    return part
  })
  const described = shares.map((share) => `${share.label} ${share.count}`).join(", ")
  return markup`<svg
    class="share"
    viewBox="0 0 1000 24"
    preserveAspectRatio="none"
    role="img"
    aria-label="${label}: ${described}"
  >
    ${parts}
  </svg> `
}
