/** A modal panel at the right edge, or over the whole of a narrow page. Escape and a click beside it close it. */
import type { ComponentChildren } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"
import { Icon } from "./Icon.tsx"
import { NoticeBar } from "./Notice.tsx"

interface Properties {
  readonly title: ComponentChildren
  readonly onClose: () => void
  /** Absent where there is none. */
  readonly onPrevious?: (() => void) | undefined
  readonly onNext?: (() => void) | undefined
  /** Whether its field gets the focus, not its title. */
  readonly isForm?: boolean
  readonly children: ComponentChildren
}

export const Drawer = ({ title, onClose, onPrevious, onNext, isForm = false, children }: Properties) => {
  const dialog = useRef<HTMLDialogElement>(null)
  // Before anything is painted, so that keys cannot reach the page.
  useLayoutEffect(() => dialog.current?.showModal(), [])
  const canMove = onPrevious !== undefined || onNext !== undefined
  const onKeyDown = (event: KeyboardEvent) => {
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === "k") onPrevious?.()
    if (event.key === "j") onNext?.()
  }
  return (
    <dialog
      ref={dialog}
      class="drawer"
      aria-labelledby="drawer-title"
      onClose={onClose}
      onKeyDown={onKeyDown}
      onClick={(event) => event.target === dialog.current && dialog.current?.close()}
    >
      <div class="drawer-content">
        <header>
          <h2 id="drawer-title" tabIndex={-1} autofocus={!isForm}>
            {title}
          </h2>
          {canMove && (
            <>
              <IconButton name="previous" label="Previous row" keys="K" onClick={onPrevious} />
              <IconButton name="next" label="Next row" keys="J" onClick={onNext} />
            </>
          )}
          <IconButton name="close" label="Close" keys="Escape" onClick={() => dialog.current?.close()} />
        </header>
        {children}
        <NoticeBar />
      </div>
    </dialog>
  )
}

/** Whether a key goes into a field. */
export const isTyping = ({ target }: Event): boolean =>
  target instanceof HTMLElement && /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName)

interface IconButtonProperties {
  readonly name: Parameters<typeof Icon>[0]["name"]
  readonly label: string
  readonly keys?: string
  readonly onClick: (() => void) | undefined
}

/** A button with an icon only; disabled without an action. */
export const IconButton = ({ name, label, keys, onClick }: IconButtonProperties) => (
  <button
    type="button"
    class="icon-button"
    aria-label={label}
    aria-keyshortcuts={keys}
    title={keys === undefined ? label : `${label} (${keys})`}
    disabled={onClick === undefined}
    onClick={onClick}
  >
    <Icon name={name} />
  </button>
)
