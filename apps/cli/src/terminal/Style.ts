/** The few colours in use, each with one meaning. Without colour they leave text as it is. */
import { styleText } from "node:util"

/** A set of styles, with or without colour. */
export interface Style {
  readonly heading: (text: string) => string
  readonly quiet: (text: string) => string
  readonly good: (text: string) => string
  readonly bad: (text: string) => string
  readonly warn: (text: string) => string
  readonly accent: (text: string) => string
}

type Format = Parameters<typeof styleText>[0]

const coloured =
  (format: Format) =>
  (text: string): string =>
    styleText(format, text, { validateStream: false })

const plain = (text: string): string => text

/** The styles, coloured or plain. */
export const make = (options: { readonly colour: boolean }): Style =>
  options.colour
    ? {
        heading: coloured("bold"),
        quiet: coloured("dim"),
        good: coloured("green"),
        bad: coloured("red"),
        warn: coloured("yellow"),
        accent: coloured("cyan"),
      }
    : { heading: plain, quiet: plain, good: plain, bad: plain, warn: plain, accent: plain }

/** The style of a transfer's status: complete, declined, or in progress. */
export const ofStatus = (style: Style, status: string): ((text: string) => string) => {
  if (status === "complete") return style.good
  if (status === "declined") return style.bad
  return status === "executing" || status === "approved" ? style.warn : plain
}
