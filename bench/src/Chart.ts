/** The chart of a result: for each metric the contestants' medians as bars, their spread as a line over them. */
import { View, parse } from "vega"
import { type TopLevelSpec, compile } from "vega-lite"
import * as Figure from "./Figure.ts"
import * as Report from "./Report.ts"
import type { Result } from "./Result.ts"

/** Colours on a light page, and what they become on a dark one. The background goes along, so that either is legible. */
const colours = {
  paper: ["#ffffff", "#0d1117"],
  ink: ["#333333", "#d1d7e0"],
  axis: ["#888888", "#656c76"],
  ours: ["#1a7f64", "#2ea583"],
  peer: ["#b8c0cc", "#4a525c"],
} as const

const darkStyle = `<style>@media (prefers-color-scheme: dark) {${Object.values(colours)
  .map(([light, dark]) => `[fill="${light}"]{fill:${dark}}[stroke="${light}"]{stroke:${dark}}`)
  .join("")}}</style>`

/** Draws a result as SVG. The same result gives the same text. */
export const svg = async (result: Result): Promise<string> => {
  const charts = result.metrics.map(({ key, title, unit }) => ({
    title: {
      text: unit === "requests" || unit === "transfers" ? title : `${title}, ${unit}`,
      anchor: "start" as const,
      frame: "group" as const,
    },
    width: 420,
    height: { step: 22 },
    data: {
      values: Report.rows(result, key).map(({ name, isOurs, spread, ratio }) => ({
        name,
        isOurs,
        ...spread,
        label: `${ratio === 1 ? "1" : Figure.ratio(ratio)} (${Figure.plain(spread.median)})`,
      })),
    },
    encoding: { y: { field: "name", type: "nominal" as const, sort: null, title: null } },
    layer: [
      {
        mark: { type: "bar" as const, height: 14 },
        encoding: {
          x: { field: "median", type: "quantitative" as const, title: null, scale: { domainMin: 0 } },
          color: {
            field: "isOurs",
            type: "nominal" as const,
            legend: null,
            scale: { domain: [true, false], range: [colours.ours[0], colours.peer[0]] },
          },
        },
      },
      {
        mark: { type: "rule" as const, color: colours.ink[0], strokeWidth: 1 },
        encoding: { x: { field: "lowest", type: "quantitative" as const }, x2: { field: "highest" } },
      },
      {
        mark: { type: "text" as const, align: "left" as const, dx: 6, color: colours.ink[0], fontSize: 11 },
        encoding: {
          x: { field: "highest", type: "quantitative" as const },
          text: { field: "label", type: "nominal" as const },
        },
      },
    ],
  }))
  const spec: TopLevelSpec = {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    background: colours.paper[0],
    padding: 12,
    vconcat: charts,
    resolve: { scale: { x: "independent", y: "independent" } },
    config: {
      view: { stroke: null },
      title: { color: colours.ink[0] },
      axis: {
        grid: false,
        labelFontSize: 11,
        labelLimit: 260,
        labelColor: colours.ink[0],
        domainColor: colours.axis[0],
        tickColor: colours.axis[0],
      },
      font: "sans-serif",
    },
  }
  const drawn = await new View(parse(compile(spec).spec), { renderer: "none" }).toSVG()
  return `${drawn.replace(">", `>${darkStyle}`)}\n`
}
