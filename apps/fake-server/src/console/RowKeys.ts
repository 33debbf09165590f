/** Moves the focus between the rows of a table by the arrow keys. */
export const onRowKeys = (event: KeyboardEvent): void => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const { currentTarget, target } = event
  if (step === undefined || !(currentTarget instanceof HTMLElement) || !(target instanceof HTMLElement)) return
  const buttons = [...currentTarget.querySelectorAll<HTMLElement>(".row-button")]
  const row = buttons.findIndex((button) => button === target || button.closest("tr") === target.closest("tr"))
  const next = buttons[row + step]
  if (row === -1 || next === undefined) return
  event.preventDefault()
  next.focus()
}
