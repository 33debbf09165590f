/** The chart of a result: for each metric the contestants' medians as bars, their spread as a line over them. */
import { View, parse } from "vega"
import { type TopLevelSpec, compile } from "vega-lite"
import * as Figure from "./Figure.ts"
import * as Report from "./Report.ts"
import type { Result } from "./Result.ts"

/** Draws a result as SVG. The same result gives the same text. */
export const svg = async (result: Result): Promise<string> => {
  const charts = result.metrics.map(({ key, title, unit }) => ({
    title: { text: `${title}, ${unit}`, anchor: "start" as const },
    width: 420,
    height: { step: 22 },
    data: {
      values: Report.rows(result, key).map(({ name, isOurs, spread, ratio }) => ({
        name,
        isOurs,
        ...spread,
        label: ratio === 1 ? Figure.plain(spread.median) : `${Figure.plain(spread.median)} (${Figure.ratio(ratio)})`,
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
            scale: { domain: [true, false], range: ["#1a7f64", "#b8c0cc"] },
          },
        },
      },
      {
        mark: { type: "rule" as const, color: "#333333", strokeWidth: 1 },
        encoding: { x: { field: "lowest", type: "quantitative" as const }, x2: { field: "highest" } },
      },
      {
        mark: { type: "text" as const, align: "left" as const, dx: 6, color: "#333333", fontSize: 11 },
        encoding: {
          x: { field: "highest", type: "quantitative" as const },
          text: { field: "label", type: "nominal" as const },
        },
      },
    ],
  }))
  const spec: TopLevelSpec = {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    background: "white",
    padding: 12,
    vconcat: charts,
    resolve: { scale: { x: "independent", y: "independent" } },
    config: { view: { stroke: null }, axis: { grid: false, labelFontSize: 11, labelLimit: 260 }, font: "sans-serif" },
  }
  const drawn = await new View(parse(compile(spec).spec), { renderer: "none" }).toSVG()
  return `${drawn}\n`
}
