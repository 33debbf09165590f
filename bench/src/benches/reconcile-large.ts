import type { Bench } from "../Bench.ts"
import { benchOf } from "./reconcile.ts"

export const bench: Bench = benchOf({ name: "reconcile-large", rounds: 1, rows: 10_000_000, compared: 20_000 }, [
  "The first run makes 11 GB of files, and the temporary folder needs 3 GB.",
  "As many rows fit into the 320 partitions over which they are spread once. Where the rest of the time goes is as with 200,000 rows: JSON.parse of every row is the floor, and DuckDB reads three columns with ten times the memory.",
])
