/** Times as people read them, in UTC. */

const format = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", ...options })

const clock = { hour: "2-digit", minute: "2-digit", second: "2-digit" } as const
const day = format({ day: "numeric", month: "short" })
const dayAndYear = format({ day: "numeric", month: "short", year: "numeric" })
const second = format(clock)

const halfYear = 182 * 86_400_000

/** `31 Dec 15:24:30`; with its year if it is far from `now`. Text that is no time stays as it is. */
export const short = (instant: string, now: string | undefined): string => {
  const time = Date.parse(instant)
  if (Number.isNaN(time)) return instant
  const isFar = Math.abs(time - Date.parse(now ?? instant)) > halfYear
  return `${(isFar ? dayAndYear : day).format(time)} ${second.format(time)}`
}

/** `15:24:30.731`. */
export const ofDay = (instant: string): string => instant.slice(11, 23)

/** `0.42 ms`, `300 ms`, `2.5 s`. */
export const duration = (ms: number): string => {
  if (ms < 10) return `${Number(ms.toPrecision(2))} ms`
  return ms < 1000 ? `${Math.round(ms)} ms` : `${Number((ms / 1000).toPrecision(3))} s`
}
