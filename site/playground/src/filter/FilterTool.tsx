/** A filter of creation time: its instants, the requests that it takes, and what is filtered here. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Dialect from "@transferkit/domain/Dialect"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Result from "effect/Result"
import { Fragment } from "preact"
import { useState } from "preact/hooks"
import type { ToolProps } from "../ToolProps.ts"
import * as Expression from "./Expression.ts"

/** The year that is shown, and the end of relative times. */
const year = { from: Date.UTC(2024, 0, 1), to: Date.UTC(2025, 0, 1) }
const now = Timestamp.parseUnsafe("2025-01-01T00:00:00Z")

export const FilterTool = ({ settings, onSettings }: ToolProps) => {
  const given = settings.get("created") ?? Expression.samples[0] ?? ""
  const hasLte = settings.get("lte") === "yes"
  const [text, setText] = useState(given)
  const parsed = Expression.parse(text, now)
  const set = (created: string, lte = hasLte) => {
    setText(created)
    onSettings(new Map([["created", created], ...(lte ? [["lte", "yes"] as const] : [])]))
  }
  return (
    <>
      <form class="settings" onSubmit={(event) => event.preventDefault()} aria-label="Filter">
        <label class="wide">
          Transfers created
          <input
            type="text"
            value={text}
            spellcheck={false}
            autocomplete="off"
            aria-describedby="filter-problem"
            aria-invalid={Result.isFailure(parsed)}
            onInput={({ currentTarget }) => set(currentTarget.value)}
          />
        </label>
        <label class="check">
          <input type="checkbox" checked={hasLte} onChange={({ currentTarget }) => set(text, currentTarget.checked)} />{" "}
          the service has <code>lte</code>
        </label>
      </form>
      <p class="samples">
        {Expression.samples.map((sample) => (
          <button type="button" key={sample} onClick={() => set(sample)}>
            {sample}
          </button>
        ))}
      </p>
      <p id="filter-problem" class="problem" role="status">
        {Result.isFailure(parsed) ? parsed.failure : ""}
      </p>
      {Result.isSuccess(parsed) && <Found filter={parsed.success} hasLte={hasLte} />}
    </>
  )
}

const Found = ({ filter, hasLte }: { readonly filter: CreatedAt.CreatedAt; readonly hasLte: boolean }) => {
  const plan = CreatedAt.plan(filter, { ...Dialect.standard, lteToken: hasLte ? "lte" : undefined })
  const ranges = CreatedAt.ranges(filter)
  return (
    <>
      <h3>Instants</h3>
      <div class="line" role="img" aria-label={`${ranges.length} intervals of the year 2024`}>
        {CreatedAt.intervals(filter).map(({ first, end }) => {
          const [left, right] = [placeOf(first, 0), placeOf(end, 100)]
          return <span key={String(first)} style={{ left: `${left}%`, width: `max(2px, ${right - left}%)` }} />
        })}
      </div>
      <ol class="ranges">
        {ranges.map((range) => {
          const printed = CreatedAt.printRange(range).join(" ")
          return (
            <li key={printed}>
              <code>{printed === "" ? "every instant" : <Bounds values={CreatedAt.printRange(range)} />}</code>
            </li>
          )
        })}
        {ranges.length === 0 && <li>none: no transfer can match</li>}
      </ol>
      <h3>Requests</h3>
      <ol class="requests">
        {plan.requests.map(({ created_at, residual }) => (
          <li key={created_at.join(" ")}>
            <code>
              GET /v1/transfers/search
              <Bounds
                values={created_at.map((value, index) => `${index === 0 ? "?" : "&"}created_at=${value}`)}
                between=""
              />
            </code>
            {residual !== undefined && (
              <p>
                then keeps here{" "}
                <code>
                  {CreatedAt.ranges(residual)
                    .map((range) => CreatedAt.printRange(range).join(" "))
                    .join(", ")}
                </code>
              </p>
            )}
          </li>
        ))}
        {plan.requests.length === 0 && <li>none: the filter holds nothing</li>}
      </ol>
      <p class="note">
        Bounds go out as whole seconds and as operators that every deployment has. What a request cannot say is asked a
        little wider, and filtered exactly after it.
      </p>
    </>
  )
}

/** Lines break between bounds, not within an instant. */
const Bounds = ({ values, between = " " }: { readonly values: ReadonlyArray<string>; readonly between?: string }) => (
  <>
    {values.map((value, index) => (
      <Fragment key={value}>
        {index > 0 && between}
        <wbr />
        <span class="bound">{value}</span>
      </Fragment>
    ))}
  </>
)

/** Where an instant stands in the year, in percent. */
const placeOf = (nanos: bigint | undefined, otherwise: number): number => {
  if (nanos === undefined) return otherwise
  const share = (Number(nanos / 1_000_000n) - year.from) / (year.to - year.from)
  return Math.min(100, Math.max(0, share * 100))
}
