/** The faults: a switch for each common one, a chip for each active rule, and rules of one's own. */
import { useState } from "preact/hooks"
import * as FakeClient from "./FakeClient.ts"
import { type ActiveRule, conditionsOf, hasFaults, type Preset, presets, scopes, titleOf } from "./FaultRules.ts"
import { Icon } from "./Icon.tsx"
import { JsonForm } from "./JsonForm.tsx"
import { useNotice } from "./Notice.tsx"

interface Properties {
  readonly rules: ReadonlyArray<ActiveRule>
  /** Reads the rules again. */
  readonly refresh: () => Promise<void>
}

export const Faults = ({ rules, refresh }: Properties) => {
  const [scope, setScope] = useState(0)
  const show = useNotice()
  const change = async (action: () => Promise<unknown>) => {
    try {
      await action()
    } catch (error) {
      show({ text: FakeClient.reasonOf(error), isBad: true })
    }
    await refresh()
  }
  const remove = (list: ReadonlyArray<ActiveRule>) =>
    change(async () => {
      await Promise.all(list.map(({ id }) => FakeClient.call(`faults/${id}`, "DELETE")))
      const text = list.length === 1 ? "The rule is removed." : `${list.length} rules are removed.`
      show({
        text,
        undo: () => change(() => FakeClient.call("faults", "POST", { rules: list.map(({ rule }) => rule) })),
      })
    })
  const add = ({ faults }: Preset) =>
    change(() => FakeClient.call("faults", "POST", { ...scopes[scope]?.conditions, faults }))
  return (
    <>
      <div class="panel-head">
        <h2 id="faults-title">Faults</h2>
        {rules.length > 0 && (
          <button type="button" class="quiet-button" onClick={() => remove(rules)}>
            Remove all
          </button>
        )}
      </div>
      {rules.length === 0 ? (
        <p class="hint">No fault is active. Every response is as the contract says.</p>
      ) : (
        <ul class="chips" aria-label="Active rules">
          {rules.map((active) => (
            <RuleChip key={active.id} active={active} onRemove={() => remove([active])} />
          ))}
        </ul>
      )}
      <label class="field scope">
        <span>Switches apply to</span>
        <select value={scope} onChange={(event) => setScope(Number(event.currentTarget.value))}>
          {scopes.map(({ label }, index) => (
            <option value={index}>{label}</option>
          ))}
        </select>
      </label>
      {presets.map((group) => (
        <fieldset class="switches">
          <legend>{group.title}</legend>
          {group.presets.map((preset) => {
            const own = rules.filter((active) => hasFaults(active, preset.faults))
            return (
              <label class="switch">
                <input
                  type="checkbox"
                  role="switch"
                  checked={own.length > 0}
                  onChange={() => (own.length > 0 ? remove(own) : add(preset))}
                />
                <span>{preset.label}</span>
              </label>
            )
          })}
        </fieldset>
      ))}
      <OwnRule refresh={refresh} />
    </>
  )
}

const RuleChip = ({ active, onRemove }: { readonly active: ActiveRule; readonly onRemove: () => void }) => {
  const { rule, seen, applied } = active
  const title = titleOf(rule)
  const isOver = rule.times !== undefined && applied >= rule.times
  return (
    <li class={isOver ? "chip over" : "chip"} title={JSON.stringify(rule)}>
      <div>
        <strong>{title}</strong>
        <small>
          {conditionsOf(rule)} · applied {applied}
          {seen > applied && ` of ${seen}`}
          {isOver && " · over"}
        </small>
      </div>
      <button type="button" class="icon-button" aria-label={`Remove ${title}`} title="Remove" onClick={onRemove}>
        <Icon name="close" />
      </button>
    </li>
  )
}

const example = JSON.stringify({ when: { request: 2 }, faults: [{ fault: "status", status: 503 }] }, undefined, 2)

const OwnRule = ({ refresh }: Pick<Properties, "refresh">) => {
  const add = async (rule: string) => {
    try {
      await FakeClient.call("faults", "POST", rule)
    } finally {
      await refresh()
    }
  }
  return (
    <details class="own-rule">
      <summary>A rule of your own</summary>
      <JsonForm label="Rule as JSON" text={example} rows={12} onSubmit={add}>
        <button>Add rule</button>
      </JsonForm>
    </details>
  )
}
