/** What each tool is given: its settings in the address, and how to change them. */
export interface ToolProps {
  readonly settings: ReadonlyMap<string, string>
  readonly onSettings: (settings: ReadonlyMap<string, string>) => void
}
