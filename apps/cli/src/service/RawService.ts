/** Raw requests over HTTP, for the commands that examine the service itself. */
import * as RawRequests from "@transferkit/conformance/RawRequests"
import * as NodeTransport from "@transferkit/http-client/NodeTransport"
import * as Layer from "effect/Layer"
import type { Credentials } from "./Credentials.ts"

/**
 * The service behind some credentials. The commands provide it themselves: they report where each setting comes from, and a
 * key on standard input can be read only once.
 */
export const layer = (credentials: Credentials): Layer.Layer<RawRequests.RawRequests> =>
  Layer.succeed(RawRequests.RawRequests, RawRequests.make(NodeTransport.ofRuntime, credentials))
