/** A form of one JSON text, which keeps what was typed until the fake accepts it, and says why it did not. */
import type { ComponentChildren } from "preact"
import { useId, useRef, useState } from "preact/hooks"
import * as FakeClient from "./FakeClient.ts"

interface Properties {
  readonly label: string
  /** The text at the start. */
  readonly text: string
  readonly rows: number
  /** Puts the cursor behind the opening brace. */
  readonly hasFocus?: boolean
  readonly class?: string
  readonly onSubmit: (text: string) => Promise<unknown>
  /** The buttons. */
  readonly children: ComponentChildren
}

export const JsonForm = ({ label, text: start, rows, hasFocus = false, onSubmit, children, ...rest }: Properties) => {
  const [text, setText] = useState(start)
  const [problem, setProblem] = useState<string>()
  const isFirst = useRef(hasFocus)
  const problemId = useId()
  const submit = async (event: Event) => {
    event.preventDefault()
    try {
      await onSubmit(text)
      setProblem(undefined)
    } catch (error) {
      setProblem(FakeClient.reasonOf(error))
    }
  }
  return (
    <form class={rest.class} onSubmit={submit}>
      <label class="field">
        <span>{label}</span>
        <textarea
          ref={(area) => {
            if (area === null || !isFirst.current) return
            area.setSelectionRange(1, 1)
            area.focus()
            isFirst.current = false
          }}
          autofocus={hasFocus}
          rows={rows}
          spellcheck={false}
          value={text}
          aria-invalid={problem !== undefined}
          aria-describedby={problemId}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <p id={problemId} class="problem" role="alert">
        {problem}
      </p>
      {children}
    </form>
  )
}
