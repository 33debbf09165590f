/** Why a tool does not answer, beyond what the source and the domain reject. */
import * as Data from "effect/Data"

/** Several proposals in a call for one. */
export class SeveralProposals extends Data.TaggedError("SeveralProposals")<{}> {
  override get message(): string {
    return "Give one proposal at a time."
  }
}

/** The source keeps none of what a tool asks for. */
export class NoCapabilities extends Data.TaggedError("NoCapabilities")<{}> {
  override get message(): string {
    return "The source has no capabilities: ask the service, or a mirror of it."
  }
}

/** The server does not answer from a mirror. */
export class NoMirror extends Data.TaggedError("NoMirror")<{}> {
  override get message(): string {
    return "There is no mirror to query: start the server with --from and a mirror, such as transfers.db."
  }
}

/** A call that would wait beside too many others. */
export class TooManyCalls extends Data.TaggedError("TooManyCalls")<{
  readonly most: number
  readonly whose: "this session" | "all clients"
}> {
  override get message(): string {
    return `${this.most} calls of ${this.whose} are under way already. Call again when an earlier one has its answer.`
  }
}

/** An answer would reveal what is masked. */
export class Masked extends Data.TaggedError("Masked")<{ readonly reason: string }> {
  override get message(): string {
    return this.reason
  }
}
