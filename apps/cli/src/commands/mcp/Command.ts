/** `transfers mcp` */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { optional, requiredText, text, texts, toggle, wholeNumber } from "../../flags/Flags.ts"
import * as Layers from "../../Layers.ts"
import { lazily } from "../../Lazy.ts"

export const mcp = Command.make(
  "mcp",
  {
    mask: text(
      "mask",
      "LIST",
      "Fields to mask in answers, such as wallet_address,external_id; extra masks unnamed ones",
    ),
    http: toggle("http", "Serve over HTTP instead of standard input and output"),
    host: Flag.withDefault(
      requiredText("host", "ADDRESS", "With --http: listen there (default 127.0.0.1); elsewhere needs a token"),
      "127.0.0.1",
    ),
    port: wholeNumber("port", "PORT", "With --http: listen on this port (default 8790); 0 takes a free one", {
      from: 0,
      to: 65_535,
      otherwise: 8790,
    }),
    allow_origin: texts("allow-origin", "ORIGIN", "With --http: accept browsers from there; repeatable"),
    token_file: optional(
      requiredText("token-file", "FILE", "With --http: require this bearer token [else TRANSFERS_MCP_TOKEN]"),
    ),
  },
  lazily(() => import("./Run.ts")),
).pipe(
  Command.provide(Layers.transfers),
  // Before the layer is built: standard input belongs to the client, and is not read for a secret key.
  Command.provideEffectDiscard(lazily(async () => ({ run: (await import("./Run.ts")).check }))),
  Command.withDescription("Let language models look transfers up, over MCP. Changes nothing."),
  Command.withExamples([
    { command: "transfers mcp --from transfers.db", description: "For a client that starts it: answers from a mirror" },
    { command: "transfers mcp --sandbox --mask wallet_address,external_id", description: "Try it without an account" },
    { command: "transfers mcp --http --port 8790 --from transfers.db", description: "For clients on this machine" },
  ]),
)
