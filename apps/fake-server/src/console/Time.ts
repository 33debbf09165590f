/** Times as people read them, in UTC. */

const monthOf = new Intl.DateTimeFormat("en-US", { timeZone: "UTC", month: "short" })

const halfYear = 182 * 86_400_000

/** `31 Dec 15:24:30`; with its year if it is far from `now`. Text that is no time stays as it is. */
export const short = (instant: string, now: string | undefined): string => {
  const time = Date.parse(instant)
  if (Number.isNaN(time)) return instant
  const isFar = Math.abs(time - Date.parse(now ?? instant)) > halfYear
  const utc = new Date(time).toISOString()
  const day = `${utc.slice(8, 10)} ${monthOf.format(time)}`
  return `${day}${isFar ? ` ${utc.slice(0, 4)}` : ""} ${utc.slice(11, 19)}`
}

/** `15:24:30.731`. */
export const ofDay = (instant: string): string => instant.slice(11, 23)

/** `0.42 ms`, `300 ms`, `2.5 s`. */
export const duration = (ms: number): string => {
  if (ms < 10) return `${Number(ms.toPrecision(2))} ms`
  return ms < 1000 ? `${Math.round(ms)} ms` : `${Number((ms / 1000).toPrecision(3))} s`
}
