/** The hash that identifies capabilities, as the verdicts of the validation lambda name it. */
import { hash } from "node:crypto"
import * as Capabilities from "@transferkit/domain/Capabilities"

/** The hash of capabilities: the same for the same content, in whichever order the service lists its keys. */
export const of = (capabilities: Capabilities.Capabilities): string =>
  `sha256:${hash("sha256", Capabilities.canonical(capabilities))}`
