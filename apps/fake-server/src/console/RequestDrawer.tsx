/** One request: its time, faults, parameters and response. */
import type { Entry } from "@transferkit/fake/Journal"
import { useEffect, useState } from "preact/hooks"
import { FaultTag, HttpBadge } from "./Badge.tsx"
import { segments, total } from "./Bursts.ts"
import * as Curl from "./Curl.ts"
import { Drawer } from "./Drawer.tsx"
import * as FakeClient from "./FakeClient.ts"
import { JsonText } from "./JsonText.tsx"
import { Digits } from "./Money.tsx"
import { CopyButton } from "./Notice.tsx"
import * as Time from "./Time.ts"

interface Response {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly notes: ReadonlyArray<string>
}

interface Properties {
  readonly entry: Entry
  readonly onClose: () => void
  readonly onPrevious: (() => void) | undefined
  readonly onNext: (() => void) | undefined
}

export const RequestDrawer = ({ entry, onClose, onPrevious, onNext }: Properties) => {
  const { id, method, path, partner = "", status, problems = [] } = entry
  const parameters = Curl.pairsOf(entry)
  const facts = [
    ["Id", id],
    ["At", entry.at.replace("T", " ")],
    ["Partner", partner === "" ? "none, or wrong credentials" : partner],
    ...(entry.page === undefined ? [] : [["Page", String(entry.page)]]),
  ]
  return (
    <Drawer
      title={
        <>
          <HttpBadge status={status} /> {method} {path}
        </>
      }
      onClose={onClose}
      onPrevious={onPrevious}
      onNext={onNext}
    >
      <div class="actions">
        <CopyButton label="Copy as curl" text={() => Curl.command({ method, path, parameters, partner })} />
        <a class="button" href={`/docs#tag/transfers/GET${path}`}>
          Reference
        </a>
      </div>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <section>
        <h3>Timing</h3>
        <Timing entry={entry} />
      </section>
      <section>
        <h3>Faults</h3>
        {entry.faults.length === 0 && <p class="hint">None was applied.</p>}
        <p class="tags">
          {entry.faults.map((name) => (
            <FaultTag name={name} />
          ))}
        </p>
        {problems.map((problem) => (
          <p class="problem">{problem}</p>
        ))}
      </section>
      <section>
        <h3>Query</h3>
        {parameters.length === 0 ? (
          <p class="hint">No parameters.</p>
        ) : (
          <dl class="fields">
            {parameters.map(([name, value]) => (
              <div>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        )}
      </section>
      <section>
        <h3>Response</h3>
        <ResponseOf entry={entry} />
      </section>
    </Drawer>
  )
}

const Timing = ({ entry }: { readonly entry: Entry }) => (
  <div class="timing">
    <div class="bar" aria-hidden="true">
      {segments(entry).map(({ name, ms }) => (
        <span class={name.replaceAll(" ", "-")} style={{ flexGrow: ms }} />
      ))}
    </div>
    <ul class="legend">
      {segments(entry).map(({ name, ms }) => (
        <li>
          <i class={name.replaceAll(" ", "-")} /> {name} <b>{Time.duration(ms)}</b>
        </li>
      ))}
      <li>
        in all <b>{Time.duration(total(entry))}</b>
      </li>
    </ul>
  </div>
)

const ResponseOf = ({ entry }: { readonly entry: Entry }) => {
  const [response, setResponse] = useState<Response | "none">()
  useEffect(() => {
    FakeClient.call<{ readonly response?: Response }>(`requests/${encodeURIComponent(entry.id)}`).then(
      (found) => setResponse(found.response ?? "none"),
      () => setResponse("none"),
    )
  }, [entry.id])
  if (response === undefined) return <p class="hint">Loading…</p>
  if (response === "none") return <p class="hint">It is no longer kept: only the latest 100 responses are.</p>
  const { headers, body, notes } = response
  const bytes = new TextEncoder().encode(body).byteLength
  const isCut = bytes < entry.bytes
  return (
    <>
      {notes.map((note) => (
        <p class="problem">{note}</p>
      ))}
      <details>
        <summary>{Object.keys(headers).length} headers</summary>
        <dl class="fields">
          {Object.entries(headers).map(([name, value]) => (
            <div>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
      <p class="hint">
        <Digits text={`${entry.bytes}`} /> bytes
        {isCut && ", of which the first "}
        {isCut && <Digits text={`${bytes}`} />}
        {isCut && " are kept"}
      </p>
      {body !== "" && <JsonText text={body} />}
    </>
  )
}
