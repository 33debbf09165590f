/** Two amounts, added exactly, beside what a floating-point number makes of them. */
import * as Money from "@transferkit/domain/Money"
import * as Result from "effect/Result"
import type { ToolProps } from "../ToolProps.ts"

export const MoneyTool = ({ settings, onSettings }: ToolProps) => {
  const a = settings.get("a") ?? "1000000"
  const b = settings.get("b") ?? "0.000000000000000001"
  const set = (name: string, value: string) => onSettings(new Map([...settings, [name, value]]))
  const sum = Result.flatMap(Money.parse(a, "ethereum/ETH"), (left) =>
    Result.flatMap(Money.parse(b, "ethereum/ETH"), (right) => Money.add(left, right)),
  )
  return (
    <form class="settings" onSubmit={(event) => event.preventDefault()} aria-label="Money">
      <label>
        Amount
        <input
          type="text"
          inputMode="decimal"
          value={a}
          onInput={({ currentTarget }) => set("a", currentTarget.value)}
        />
      </label>
      <label>
        and
        <input
          type="text"
          inputMode="decimal"
          value={b}
          onInput={({ currentTarget }) => set("b", currentTarget.value)}
        />
      </label>
      <dl class="sums" aria-live="polite">
        <div>
          <dt>Money</dt>
          <dd>{Result.isSuccess(sum) ? sum.success.text : sum.failure.message}</dd>
        </div>
        <div>
          <dt>Number</dt>
          <dd>{Number(a) + Number(b)}</dd>
        </div>
      </dl>
    </form>
  )
}
