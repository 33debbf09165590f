/** Numbers for people: `1 transfer`, `5,000 transfers`, `1h 30m`. */

let format: Intl.NumberFormat | undefined

/**
 * A number with thousands separators. Node takes milliseconds to make the first format.
 *
 * @example
 * Quantity.grouped(1234567) // => "1,234,567"
 */
export const grouped = (count: number): string => (format ??= new Intl.NumberFormat("en-US")).format(count)

/**
 * A number of things, with an `s` for more than one.
 *
 * @example
 * Quantity.counted(1, "transfer") // => "1 transfer"
 * Quantity.counted(5000, "transfer") // => "5,000 transfers"
 */
export const counted = (count: number, thing: string): string => `${grouped(count)} ${thing}${count === 1 ? "" : "s"}`

/**
 * Seconds as a duration in its two largest units.
 *
 * @example
 * Quantity.duration(5400) // => "1h 30m"
 */
export const duration = (seconds: number): string => {
  const whole = Math.round(seconds)
  const [days, hours, minutes] = [
    Math.floor(whole / 86_400),
    Math.floor(whole / 3600) % 24,
    Math.floor(whole / 60) % 60,
  ]
  if (days > 0) return `${days}d ${hours}h`
  if (hours > 0) return `${hours}h ${minutes}m`
  return minutes > 0 ? `${minutes}m ${whole % 60}s` : `${whole}s`
}
