import type { Bench } from "../Bench.ts"
import { benchOf } from "./reconcile.ts"

export const bench: Bench = benchOf({ name: "reconcile-million", rounds: 3, rows: 1_000_000, compared: 20_000 }, [
  "The first run makes 1.1 GB of files.",
])
