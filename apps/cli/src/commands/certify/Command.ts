/** `transfers certify` */
import * as Command from "effect/cli/Command"
import { text, toggle, wholeNumber } from "../../flags/Flags.ts"
import { lazily } from "../../Lazy.ts"

export const certify = Command.make(
  "certify",
  {
    against: text("against", "FILE", "An earlier certificate: show only what has changed; exit code 1 on drift"),
    out: text("out", "FILE", "Write the certificate as JSON"),
    html: text("html", "FILE", "Write it as a page"),
    badge: text("badge", "FILE", "Write an SVG with the verdict and the day"),
    sign: text("sign", "FILE", "Sign it with the Ed25519 private key in this PEM file"),
    requests: wholeNumber("requests", "N", "The most requests to send, 10 to 10000 (default 300)", {
      from: 10,
      to: 10_000,
      otherwise: 300,
    }),
    rate: wholeNumber("rate", "N", "The most requests a second, 1 to 1000 (default 2)", {
      from: 1,
      to: 1000,
      otherwise: 2,
    }),
    save: toggle("save", "Save the dialect that was found to the profile"),
  },
  lazily(() => import("./Run.ts")),
).pipe(
  Command.withDescription(
    "Check whether this deployment keeps the contract, and find out where it has a way of its own.",
  ),
  Command.withExamples([
    {
      command: "transfers certify --rate 100 --out certificate.json --html certificate.html",
      description: "Only reads; at the default rate in half a minute",
    },
    {
      command: "transfers certify --rate 100 --against certificate.json",
      description: "What has changed; exit code 1 on drift",
    },
    { command: "transfers certify --rate 100 --profile live --save", description: "Save the dialect for later runs" },
  ]),
)
