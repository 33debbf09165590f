import type { Bench } from "../Bench.ts"
import { benchOf } from "./reconcile.ts"

export const bench: Bench = benchOf({ name: "reconcile-million", rounds: 3, rows: 1_000_000, compared: 20_000 }, [
  "The first run makes 1.1 GB of files.",
  "DuckDB reads on both cores, so that its time is half of its processor time, and holds the rows in twice the memory. Where ours goes is as with 200,000 rows.",
])
