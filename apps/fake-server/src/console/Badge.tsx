/** Coloured labels; their text says the same. */
const toneOfStatus: Readonly<Record<string, string>> = {
  executing: "blue",
  approved: "violet",
  complete: "green",
  declined: "red",
}

/** The status of a transfer. */
export const StatusBadge = ({ status }: { readonly status: string }) => (
  <span class={`badge ${toneOfStatus[status] ?? "grey"}`}>{status}</span>
)

/** The status of a response. */
export const HttpBadge = ({ status }: { readonly status: number }) => (
  <span class={`badge http ${status < 300 ? "green" : status < 400 ? "blue" : status < 500 ? "amber" : "red"}`}>
    {status}
  </span>
)

/** A fault that was applied. */
export const FaultTag = ({ name }: { readonly name: string }) => <span class="tag">{name}</span>
