/** One transfer with all its fields, to copy, change or remove; and a new one. */
import { useState } from "preact/hooks"
import { StatusBadge } from "./Badge.tsx"
import * as Curl from "./Curl.ts"
import { Drawer } from "./Drawer.tsx"
import * as FakeClient from "./FakeClient.ts"
import { JsonForm } from "./JsonForm.tsx"
import { MoneyText } from "./Money.tsx"
import { CopyButton, useNotice } from "./Notice.tsx"
import { currencyOf, isMoney, textOf, type Transfer } from "./Transfer.ts"

interface Properties {
  readonly partner: string
  readonly refresh: () => Promise<void>
  readonly onClose: () => void
}

interface TransferProperties extends Properties {
  readonly transfer: Transfer
  readonly onPrevious: (() => void) | undefined
  readonly onNext: (() => void) | undefined
}

/** The contract finds a transfer by its external id, or else by the time of its creation. */
const parametersOf = ({ external_id, created_at }: Transfer): ReadonlyArray<readonly [string, string]> =>
  typeof external_id === "string"
    ? [["external_id", external_id]]
    : [
        ["created_at", `gte:${created_at}`],
        ["limit", "1"],
      ]

/** A transfer by what the table shows of it. */
const nameOf = ({ id, external_id, source_total }: Transfer): string => {
  const name = typeof external_id === "string" && external_id !== "" ? external_id : id
  return isMoney(source_total)
    ? `${name}, ${source_total.amount} ${currencyOf(source_total.currency_code).ticker},`
    : name
}

/** Makes these fields the only ones of a transfer. */
const replace = async (path: string, id: string, fields: object): Promise<void> => {
  const before = await FakeClient.call<Transfer>(path)
  const absent = Object.fromEntries(Object.keys(before).map((name) => [name, null]))
  await FakeClient.call(path, "PATCH", { ...absent, id, ...fields })
}

export const TransferDrawer = ({ transfer, partner, refresh, onClose, onPrevious, onNext }: TransferProperties) => {
  const [isEditing, setEditing] = useState(false)
  const show = useNotice()
  const { id } = transfer
  const path = `transfers/${encodeURIComponent(id)}?${new URLSearchParams({ partner })}`
  const save = async (text: string) => {
    await replace(path, id, JSON.parse(text))
    await refresh()
    setEditing(false)
    show({ text: `${nameOf(transfer)} is changed.` })
  }
  const restore = async () => {
    try {
      await FakeClient.call(`transfers?${new URLSearchParams({ partner })}`, "POST", transfer)
      await replace(path, id, transfer)
      show({ text: `${nameOf(transfer)} is back.` })
    } catch (error) {
      show({ text: FakeClient.reasonOf(error), isBad: true })
    }
    await refresh()
  }
  const remove = async () => {
    try {
      await FakeClient.call(path, "DELETE")
      show({ text: `${nameOf(transfer)} is removed.`, undo: restore })
      onClose()
    } catch (error) {
      show({ text: FakeClient.reasonOf(error), isBad: true })
    }
    await refresh()
  }
  const fields = Object.entries(transfer)
  return (
    <Drawer
      title={
        <>
          Transfer <StatusBadge status={textOf(transfer["status"])} />
        </>
      }
      onClose={onClose}
      onPrevious={isEditing ? undefined : onPrevious}
      onNext={isEditing ? undefined : onNext}
    >
      {isEditing ? (
        <Editor
          text={JSON.stringify(transfer, undefined, 2)}
          action="Save"
          onSave={save}
          onCancel={() => setEditing(false)}
        />
      ) : (
        <>
          <div class="actions">
            <CopyButton
              label="Copy as curl"
              text={() => Curl.command({ path: "/v1/transfers/search", parameters: parametersOf(transfer), partner })}
            />
            <CopyButton label="Copy JSON" text={() => JSON.stringify(transfer, undefined, 2)} />
            <button type="button" onClick={() => setEditing(true)}>
              Edit
            </button>
            <button type="button" class="danger" onClick={remove}>
              Remove
            </button>
          </div>
          <Fields title="Details" fields={fields.filter(([, value]) => !isMoney(value))} />
          <Fields title="Amounts" fields={fields.filter(([, value]) => isMoney(value))} />
        </>
      )}
    </Drawer>
  )
}

const Fields = ({
  title,
  fields,
}: {
  readonly title: string
  readonly fields: ReadonlyArray<readonly [string, unknown]>
}) =>
  fields.length === 0 ? null : (
    <section>
      <h3>{title}</h3>
      <dl class="fields">
        {fields.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{isMoney(value) ? <MoneyText value={value} /> : textOf(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )

export const InsertDrawer = ({ partner, refresh, onClose }: Properties) => {
  const show = useNotice()
  const save = async (text: string) => {
    const path = `transfers?${new URLSearchParams({ partner })}`
    const { ids } = await FakeClient.call<{ readonly ids: ReadonlyArray<string> }>(path, "POST", text)
    await refresh()
    show({ text: ids.length === 1 ? `${ids[0]} is inserted.` : `${ids.length} transfers are inserted.` })
    onClose()
  }
  return (
    <Drawer title="Insert a transfer" isForm onClose={onClose}>
      <p class="hint">Missing fields are generated. An array inserts several transfers.</p>
      <Editor text="{}" action="Insert" onSave={save} onCancel={onClose} />
    </Drawer>
  )
}

interface EditorProperties {
  readonly text: string
  readonly action: string
  readonly onSave: (text: string) => Promise<void>
  readonly onCancel: () => void
}

const Editor = ({ text, action, onSave, onCancel }: EditorProperties) => (
  <JsonForm label="JSON" text={text} rows={text === "{}" ? 12 : 26} hasFocus class="editor" onSubmit={onSave}>
    <div class="actions">
      <button class="primary">{action}</button>
      <button type="button" onClick={onCancel}>
        Cancel
      </button>
    </div>
  </JsonForm>
)
