/** The outcome of an action, said once; and text to copy. */
import { createContext } from "preact"
import { useContext } from "preact/hooks"
import { Icon } from "./Icon.tsx"

export interface Notice {
  readonly text: string
  readonly isBad?: boolean
  /** Text to copy by hand. */
  readonly code?: string
  /** Takes the action back. */
  readonly undo?: () => Promise<void>
}

/** The notice that is shown, and a way to show another one. */
export interface Notices {
  readonly notice: Notice | undefined
  readonly show: (notice: Notice | undefined) => void
}

export const NoticesContext = createContext<Notices>({ notice: undefined, show: () => {} })

/** Shows a notice. */
export const useNotice = () => useContext(NoticesContext).show

/** The notice. A modal drawer has its own, because everything else is inert then. */
export const NoticeBar = () => {
  const { notice, show } = useContext(NoticesContext)
  return (
    <div class="notice-bar" role="status" aria-live="polite">
      {notice !== undefined && (
        <div class={notice.isBad === true ? "notice bad" : "notice"}>
          <div>
            {notice.text}
            {notice.undo !== undefined && <span class="undo-hint"> You can undo it until you close this.</span>}
            {notice.code !== undefined && <pre>{notice.code}</pre>}
          </div>
          {notice.undo !== undefined && (
            <button
              type="button"
              class="undo"
              title="Undo (U)"
              aria-keyshortcuts="U"
              onClick={() => {
                show(undefined)
                void notice.undo?.()
              }}
            >
              Undo <kbd aria-hidden="true">U</kbd>
            </button>
          )}
          <button type="button" class="icon-button" aria-label="Dismiss" onClick={() => show(undefined)}>
            <Icon name="close" />
          </button>
        </div>
      )}
    </div>
  )
}

interface CopyProperties {
  readonly label: string
  readonly text: () => string
  /** Said with it, such as what the text leaves out. */
  readonly note?: string | undefined
}

/** A button that copies a text, or shows it where the browser has no clipboard. */
export const CopyButton = ({ label, text, note }: CopyProperties) => {
  const show = useNotice()
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text())
      show({ text: ["Copied.", note].filter(Boolean).join(" ") })
    } catch {
      show({ text: [note, "Copy this:"].filter(Boolean).join(" "), code: text() })
    }
  }
  return (
    <button type="button" onClick={copy}>
      <Icon name="copy" /> {label}
    </button>
  )
}
