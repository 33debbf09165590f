/** `transfers close` */
import * as Command from "effect/cli/Command"
import { filterFlags } from "../../flags/FilterFlags.ts"
import { requiredText, text, texts, toggle } from "../../flags/Flags.ts"
import * as Layers from "../../Layers.ts"
import { lazily } from "../../Lazy.ts"
import * as Flags from "../reconcile/Flags.ts"

const { carry: _carry, write_open: _writeOpen, ...books } = Flags.flags

export const close = Command.make(
  "close",
  {
    month: requiredText("month", "MONTH", "The month to close, such as 2024-09 (required)"),
    time_zone: filterFlags.time_zone,
    ledger: texts("ledger", "FILE", "A ledger of the month; repeatable"),
    previous: text("previous", "BUNDLE", "The close of the month before, to start from"),
    previous_key: text("previous-key", "FILE", "The public key (PEM) that must have signed the previous close"),
    previous_ledger: texts("previous-ledger", "FILE", "A ledger that the previous close left out; repeatable"),
    out: text("out", "BUNDLE", "The archive to write, by default close-MONTH.zip"),
    sign_key: text("sign-key", "FILE", "Sign it with this Ed25519 private key (PEM)"),
    without_ledgers: toggle("without-ledgers", "Store only the hashes of the ledgers; verify then needs --ledger"),
    force: toggle("force", "Replace an existing bundle"),
    ...books,
  },
  lazily(() => import("./Run.ts")),
).pipe(
  Command.provide(Layers.source),
  Command.provideEffectDiscard(lazily(async () => ({ run: (await import("./Run.ts")).check }))),
  Command.withDescription("Close a month: write a bundle that anybody can verify, and the next month starts from."),
  Command.withExamples([
    {
      command: "transfers close --month 2024-09 --ledger bank.csv --out september.zip",
      description: "The first month; exit code 1 on breaks, the bundle is written",
    },
    {
      command: "transfers close --month 2024-10 --ledger bank.csv --previous september.zip --accepted accepted.json",
      description: "The next one, with what September left open",
    },
    { command: "transfers verify september.zip", description: "Repeat it from the bundle alone, byte for byte" },
  ]),
)
