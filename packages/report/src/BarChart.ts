/** Horizontal bars in eighths of a cell, each with its label in front and its exact value behind. */
import { escapeControls } from "@transferkit/domain/SafeText"
import stringWidth from "string-width"
import { widthOf } from "./internal/text/CellWidth.ts"

/** One bar. `share` is its length, from 0 to 1. */
export interface Bar {
  readonly label: string
  readonly text: string
  readonly share: number
}

const eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
const narrowest = 8
const widest = 60

/** The bars, a line each, or two on a narrow terminal. Labels and values are never truncated; bars take the rest. */
export const render = (
  bars: ReadonlyArray<Bar>,
  options: { readonly width: number; readonly style: { readonly accent: (text: string) => string } },
): string => {
  const labels = bars.map((bar) => escapeControls(bar.label))
  const labelWidth = widthOf(labels)
  const textWidth = widthOf(bars.map((bar) => bar.text))
  const room = options.width - labelWidth - textWidth - 4
  const isNarrow = room < narrowest
  const cells = Math.min(widest, isNarrow ? options.width : room)
  return bars
    .map((bar, index) => {
      const label = labels[index] ?? ""
      const drawn = draw(bar.share, cells)
      if (isNarrow) return `${label}  ${bar.text}\n${options.style.accent(drawn)}\n`
      return `${label}${" ".repeat(labelWidth - stringWidth(label))}  ${options.style.accent(drawn)}${" ".repeat(cells - drawn.length)}  ${bar.text.padStart(textWidth)}\n`
    })
    .join("")
}

/** Anything above zero is visible, however small. */
const draw = (share: number, cells: number): string => {
  const parts = Math.max(share > 0 ? 1 : 0, Math.round(share * cells * 8))
  return "█".repeat(Math.floor(parts / 8)) + (eighths[parts % 8] ?? "")
}
