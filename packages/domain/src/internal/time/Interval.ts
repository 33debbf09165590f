/** Consecutive instants: from `first` up to, not including, `end`, in nanoseconds since 1970. */

/** `undefined` means unbounded. */
export interface Interval {
  readonly first: bigint | undefined
  readonly end: bigint | undefined
}

export const everything: Interval = { first: undefined, end: undefined }

export const has = ({ first, end }: Interval, instant: bigint): boolean =>
  (first === undefined || instant >= first) && (end === undefined || instant < end)

export const equals = (self: Interval, that: Interval): boolean => self.first === that.first && self.end === that.end

/** Both as one interval, if there is no instant between them. `that` does not begin before `self`. */
export const join = (self: Interval, that: Interval): Interval | undefined => {
  if (self.end === undefined) return self
  if (that.first !== undefined && that.first > self.end) return undefined
  return { first: self.first, end: that.end !== undefined && that.end < self.end ? self.end : that.end }
}
